// RUN: lattn-opt %s --convert-lattn-to-vector --canonicalize | FileCheck %s --check-prefixes=CHECK,W256
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" --canonicalize | FileCheck %s --check-prefixes=CHECK,W512

// A step of gradients is a call of one function. It calls a function for each of its five
// products: scores and gradients of weights have queries on the lanes, the three sums
// features.

!q = memref<?x16xf32>
!r = memref<16xf32>
!p = memref<16x16xf32>
!pdo = memref<32x16xf32>

// CHECK-LABEL: func.func @step(
// CHECK-NEXT:  call @[[STEP:[^(]*]](
// CHECK-NEXT:  return

// CHECK:      func.func private @[[STEP]](%[[Q:[^:]+]]: memref<?x16xf32>, %[[K:[^:]+]]: memref<64x16xf32>, %[[V:[^:]+]]: memref<64x32xf32>, %[[L:[^:]+]]: memref<16xf32>, %[[R:[^:]+]]: memref<16xf32>, %[[DO:[^:]+]]: memref<?x32xf32>, %[[PQ:[^:]+]]: memref<16x16xf32>, %[[PDO:[^:]+]]: memref<32x16xf32>, %[[DQ:[^:]+]]: memref<16x16xf32>, %[[DK:[^:]+]]: memref<64x16xf32>, %[[DV:[^:]+]]: memref<64x32xf32>)

// S^T = K Q^T
// CHECK:      %[[ROWS:.*]] = memref.cast %[[K]]
// CHECK:      call @[[MULTIPLY:lattn_multiply_keys[_0-9]*]](%{{.*}}, %c64, %{{.*}}, %{{.*}}, %[[PQ]])
// dP^T = V dO^T
// CHECK:      call @lattn_multiply_keys{{.*}}(%{{.*}}, %c64, %{{.*}}, %{{.*}}, %[[PDO]])

// P, in the place of S, and dS = P (dP - r), in that of dP.
// CHECK:      vector.load %[[L]]
// CHECK:      vector.load %[[R]]
// CHECK:      vector.load %[[S:alloca[_0-9]*]][
// CHECK:      arith.shli
// CHECK:      vector.load %[[DS:alloca[_0-9]*]][
// CHECK:      arith.subf
// CHECK:      vector.store %{{.*}}, %[[S]][
// CHECK:      vector.store %{{.*}}, %[[DS]][

// dV += P dO
// CHECK-DAG:  %[[TO:.*]] = memref.cast %[[DV]]
// CHECK-DAG:  %[[P:.*]] = memref.cast %[[S]] : memref<{{.*}}x16xf32> to memref<?x16xf32>
// CHECK:      call @[[ADD:lattn_add_rows[_0-9]*]](%c64, %{{.*}}, %[[TO]], %[[P]], %{{.*}}, %false)
// dK += dS Q
// CHECK-DAG:  %[[TO:.*]] = memref.cast %[[DK]]
// CHECK-DAG:  %[[D:.*]] = memref.cast %[[DS]]
// CHECK:      call @lattn_add_rows{{.*}}(%c64, %{{.*}}, %[[TO]], %[[D]], %{{.*}}, %false)
// dQ += dS^T K
// CHECK-DAG:  %[[TO:.*]] = memref.cast %[[DQ]]
// CHECK-DAG:  %[[D:.*]] = memref.cast %[[DS]]
// CHECK:      call @lattn_add_rows{{.*}}(%{{.*}}, %c64, %[[TO]], %[[D]], %{{.*}}, %false)

// CHECK:      func.func private @[[MULTIPLY]](%{{.*}}: index, %{{.*}}: index, %[[TO:[^:]+]]: memref<?x16xf32>, %[[ROWS:[^:]+]]: memref<?x16xf32, {{.*}}>, %[[PACKED:[^:]+]]: memref<16x16xf32>)
// W256:       vector.load %[[PACKED]][{{.*}} vector<8xf32>
// W512:       vector.load %[[PACKED]][{{.*}} vector<16xf32>
// CHECK:      memref.load %[[ROWS]]
// CHECK:      vector.fma
// CHECK:      vector.store %{{.*}}, %[[TO]][

// CHECK:      func.func private @[[ADD]](%{{.*}}: index, %{{.*}}: index, %[[TO:[^:]+]]: memref<?x32xf32, strided<[?, 1], offset: ?>>, %[[WEIGHTS:[^:]+]]: memref<?x16xf32>, %[[ROWS:[^:]+]]: memref<?x32xf32, {{.*}}>, %{{.*}}: i1)
// CHECK:      vector.load %[[TO]]
// CHECK:      vector.load %[[ROWS]]
// CHECK:      memref.load %[[WEIGHTS]]
// CHECK:      vector.fma
// CHECK:      vector.store %{{.*}}, %[[TO]][
func.func @step(%q: !q, %k: memref<64x16xf32>, %v: memref<64x32xf32>, %l: !r, %r: !r, %do: memref<?x32xf32>, %p: !p, %pdo: !pdo,
                %dq: !p, %dk: memref<64x16xf32>, %dv: memref<64x32xf32>) {
  lattn.attention_grad_step query(%q : !q) key(%k : memref<64x16xf32>) value(%v : memref<64x32xf32>)
      lse(%l : !r) row_sums(%r : !r) d_output(%do : memref<?x32xf32>) packed(%p, %pdo : !p, !pdo)
      outs(%dq, %dk, %dv : !p, memref<64x16xf32>, memref<64x32xf32>)
  return
}
