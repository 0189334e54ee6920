// RUN: lattn-opt %s --convert-lattn-to-vector --canonicalize | FileCheck %s --check-prefixes=CHECK,W256
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" --canonicalize | FileCheck %s --check-prefixes=CHECK,W512

// A step of gradients is a call of one function with five products: scores and
// gradients of weights have queries on the lanes, the three sums features.

!q = memref<?x16xf32>
!r = memref<16xf32>
!p = memref<16x16xf32>
!pdo = memref<32x16xf32>

// CHECK-LABEL: func.func @step(
// CHECK-NEXT:  call @[[STEP:[^(]*]](
// CHECK-NEXT:  return

// CHECK:      func.func private @[[STEP]](%[[Q:[^:]+]]: memref<?x16xf32>, %[[K:[^:]+]]: memref<64x16xf32>, %[[V:[^:]+]]: memref<64x32xf32>, %[[L:[^:]+]]: memref<16xf32>, %[[R:[^:]+]]: memref<16xf32>, %[[DO:[^:]+]]: memref<?x32xf32>, %[[PQ:[^:]+]]: memref<16x16xf32>, %[[PDO:[^:]+]]: memref<32x16xf32>, %[[DQ:[^:]+]]: memref<16x16xf32>, %[[DK:[^:]+]]: memref<64x16xf32>, %[[DV:[^:]+]]: memref<64x32xf32>)

// S^T = K Q^T
// W256:       vector.load %[[PQ]][{{.*}} vector<8xf32>
// W512:       vector.load %[[PQ]][{{.*}} vector<16xf32>
// CHECK:      memref.load %[[K]]
// CHECK:      vector.fma
// CHECK:      vector.store %{{.*}}, %[[S:alloca[_0-9]*]][

// dP^T = V dO^T
// CHECK:      vector.load %[[PDO]]
// CHECK:      memref.load %[[V]]
// CHECK:      vector.fma
// CHECK:      vector.store %{{.*}}, %[[DS:alloca[_0-9]*]][

// P, in the place of S, and dS = P (dP - r), in that of dP.
// CHECK:      vector.load %[[L]]
// CHECK:      vector.load %[[R]]
// CHECK:      vector.load %[[S]]
// CHECK:      arith.shli
// CHECK:      vector.load %[[DS]]
// CHECK:      arith.subf
// CHECK:      vector.store %{{.*}}, %[[S]][
// CHECK:      vector.store %{{.*}}, %[[DS]][

// dV += P dO
// CHECK:      vector.load %[[DV]]
// CHECK:      memref.load %[[S]]
// CHECK:      vector.fma
// CHECK:      vector.store %{{.*}}, %[[DV]][
// dK += dS Q
// CHECK:      vector.load %[[DK]]
// CHECK:      memref.load %[[DS]]
// CHECK:      vector.fma
// CHECK:      vector.store %{{.*}}, %[[DK]][
// dQ += dS^T K
// CHECK:      vector.load %[[DQ]]
// CHECK:      memref.load %[[DS]]
// CHECK:      vector.fma
// CHECK:      vector.store %{{.*}}, %[[DQ]][
func.func @step(%q: !q, %k: memref<64x16xf32>, %v: memref<64x32xf32>, %l: !r, %r: !r, %do: memref<?x32xf32>, %p: !p, %pdo: !pdo,
                %dq: !p, %dk: memref<64x16xf32>, %dv: memref<64x32xf32>) {
  lattn.attention_grad_step query(%q : !q) key(%k : memref<64x16xf32>) value(%v : memref<64x32xf32>)
      lse(%l : !r) row_sums(%r : !r) d_output(%do : memref<?x32xf32>) packed(%p, %pdo : !p, !pdo)
      outs(%dq, %dk, %dv : !p, memref<64x16xf32>, memref<64x32xf32>)
  return
}
