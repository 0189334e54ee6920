// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" --canonicalize | FileCheck %s

// Queries that are not packed are few: features lie on the lanes in all products, and a
// block of 16 keys gives a vector of scores. Rows of keys and values 32 further on are
// prefetched.

!q = memref<3x64xf32>
!k = memref<64x64xf32>
!r = memref<3xf32>

// CHECK-LABEL: func.func @step(
// CHECK-NEXT:  call @[[STEP:[^(]*]](
// CHECK-NEXT:  return
// CHECK:      func.func private @[[STEP]](%[[Q:[^:]+]]: memref<3x64xf32>, %[[K:[^:]+]]: memref<64x64xf32>, %[[V:[^:]+]]: memref<64x64xf32>, %[[L:[^:]+]]: memref<3xf32>, %[[R:[^:]+]]: memref<3xf32>, %[[DO:[^:]+]]: memref<3x64xf32>, %[[DQ:[^:]+]]: memref<3x64xf32>, %[[DK:[^:]+]]: memref<64x64xf32>, %[[DV:[^:]+]]: memref<64x64xf32>)
// CHECK-COUNT-64: memref.prefetch %[[K]]
// CHECK-COUNT-64: memref.prefetch %[[V]]

// The rows, each with a block of keys: s, then the gradient of p.
// CHECK:      scf.for
// CHECK:        vector.load %{{.*}} vector<16xf32>
// CHECK-COUNT-16: vector.fma
// CHECK:        vector.shuffle
// CHECK-COUNT-16: vector.fma
// CHECK:        vector.shuffle
// CHECK:        memref.load %[[L]]
// CHECK:        memref.load %[[R]]
// CHECK:        vector.store %{{.*}}, %[[S:alloca[_0-9]*]][
// CHECK:        vector.store %{{.*}}, %[[DS:alloca[_0-9]*]][

// CHECK-DAG:  %[[TO:.*]] = memref.cast %[[DV]]
// CHECK-DAG:  %[[P:.*]] = memref.cast %[[S]]
// CHECK:      call @lattn_add_rows{{.*}}(%c64, %c3, %[[TO]], %[[P]], %{{.*}}, %false)
// CHECK-DAG:  %[[TO:.*]] = memref.cast %[[DK]]
// CHECK-DAG:  %[[D:.*]] = memref.cast %[[DS]]
// CHECK:      call @lattn_add_rows{{.*}}(%c64, %c3, %[[TO]], %[[D]], %{{.*}}, %false)
// CHECK-DAG:  %[[TO:.*]] = memref.cast %[[DQ]]
// CHECK-DAG:  %[[D:.*]] = memref.cast %[[DS]]
// CHECK:      call @lattn_add_rows{{.*}}(%c3, %c64, %[[TO]], %[[D]], %{{.*}}, %false)
func.func @step(%q: !q, %k: !k, %v: !k, %l: !r, %r: !r, %do: !q, %dq: !q, %dk: !k, %dv: !k) {
  lattn.attention_grad_step query(%q : !q) key(%k : !k) value(%v : !k) lse(%l : !r) row_sums(%r : !r)
      d_output(%do : !q) outs(%dq, %dk, %dv : !q, !k, !k)
  return
}
