// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" --canonicalize | FileCheck %s

// A step is a call of one function: scores and their tangents have queries on the
// lanes, the sums features.

!p = memref<16x16xf32>
!k = memref<64x16xf32>
!a = memref<16x16xf32>
!r = memref<16xf32>

// CHECK-LABEL: func.func @step(
// CHECK-NEXT:  call @[[STEP:[^(]*]](
// CHECK-NEXT:  return

// CHECK:      func.func private @[[STEP]](%[[Q:[^:]+]]: {{[^%]*}}, %[[K:[^:]+]]: {{[^%]*}}, %[[V:[^:]+]]: {{[^%]*}}, %[[N:[^:]+]]: index, %[[DQ:[^:]+]]: {{[^%]*}}, %[[DK:[^:]+]]: {{[^%]*}}, %[[DV:[^:]+]]: {{[^%]*}}, %[[A:[^:]+]]: {{[^%]*}}, %[[M:[^:]+]]: {{[^%]*}}, %[[S:[^:]+]]: {{[^%]*}}, %[[DA:[^:]+]]: {{[^%]*}}, %[[DS:[^:]+]]: {{[^%]*}})
// S^T = K Q^T and dS^T = K dQ^T + dK Q^T: each element of a key is read once.
// CHECK:      vector.load %[[Q]]
// CHECK:      vector.load %[[DQ]]
// CHECK:      memref.load %[[K]]
// CHECK:      memref.load %[[DK]]
// CHECK:      vector.store %{{.*}}, %[[SCORES:alloca[_0-9]*]][
// CHECK:      vector.store %{{.*}}, %[[OF:alloca[_0-9]*]][
// The maximum, P and P dS.
// CHECK:      vector.load %[[M]]
// CHECK:      arith.shli
// CHECK:      vector.store %{{.*}}, %[[SCORES]][
// CHECK:      vector.store %{{.*}}, %[[OF]][
// CHECK:      vector.store %{{.*}}, %[[M]]
// CHECK:      vector.store %{{.*}}, %[[S]]
// CHECK:      vector.store %{{.*}}, %[[DS]]
// O = c O + P V, dO = c dO + (P dS) V + P dV: each row of values is read once.
// CHECK:      vector.load %[[A]]
// CHECK:      vector.load %[[DA]]
// CHECK:      vector.load %[[V]]
// CHECK:      vector.load %[[DV]]
// CHECK:      memref.load %[[SCORES]]
// CHECK:      memref.load %[[OF]]
// CHECK:      vector.store %{{.*}}, %[[A]]
// CHECK:      vector.store %{{.*}}, %[[DA]]
func.func @step(%q: !p, %k: !k, %v: !k, %n: index, %dq: !p, %dk: !k, %dv: !k, %a: !a, %m: !r, %s: !r, %da: !a, %ds: !r) {
  lattn.attention_jvp_step query(%q : !p) key(%k : !k) value(%v : !k) query_rows(%n)
      d_query(%dq : !p) d_key(%dk : !k) d_value(%dv : !k)
      outs(%a, %m, %s, %da, %ds : !a, !r, !r, !a, !r) {scale = 1.0 : f64}
  return
}
