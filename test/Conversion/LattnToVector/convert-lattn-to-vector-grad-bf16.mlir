// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32 bf16=dot" --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --convert-lattn-to-vector="bf16=emulated-dot" | FileCheck %s --check-prefix=EMULATED
// RUN: not lattn-opt %s --convert-lattn-to-vector 2>&1 | FileCheck %s --check-prefix=WIDENED
// RUN: sed -e "s/products = dot/products = amx/" -e "s/ packed([^)]*)//" %s | not lattn-opt --convert-lattn-to-vector="vector-bits=512 bf16=amx" 2>&1 | FileCheck %s --check-prefix=AMX

// Gradients by products of pairs of bf16: of two features for scores, of two queries for
// d_key and d_value, of two keys for d_query. What an odd size leaves is paired with 0.

// WIDENED: error: {{.*}} cannot become a vector kernel: the target does not have the products of its schedule
// AMX: error: {{.*}} cannot become a vector kernel: gradients have no kernel of the products of its schedule
// EMULATED-NOT: x86vector
// EMULATED:     vector.fma
// EMULATED-NOT: x86vector

!q = memref<?x33xbf16>
!k = memref<48x33xbf16, strided<[100, 1]>>
!do = memref<?x16xbf16>
!v = memref<48x16xbf16>
!r = memref<16xf32>

// CHECK-LABEL: func.func private @lattn_attention_grad_step
// CHECK-SAME:  %[[Q:[^:]+]]: memref<?x33xbf16>, %[[K:[^:]+]]: memref<48x33xbf16, {{.*}}>, %[[V:[^:]+]]: memref<48x16xbf16>, %{{.*}}: memref<16xf32>, %{{.*}}: memref<16xf32>, %[[DO:[^:]+]]: memref<?x16xbf16>, %[[PQ:[^:]+]]: memref<33x16xbf16>, %[[PDO:[^:]+]]: memref<16x16xbf16>, %[[DQ:[^:]+]]: memref<16x33xf32>, %[[DK:[^:]+]]: memref<48x33xf32>, %[[DV:[^:]+]]: memref<48x16xf32>
// Packed queries as rows of pairs of features, the last of 33 with 0.
// CHECK:       vector.load %[[PQ]]
// CHECK:       vector.interleave %{{.*}}, %{{.*}} : vector<16xbf16>
// CHECK-NEXT:  vector.store %{{.*}}, %[[QUERIES:[a-z0-9_]+]][%{{.*}}, %c0] : memref<17x32xbf16>
// Scores: a pair of a key's features, in all lanes, times those of queries.
// CHECK:       vector.load %[[QUERIES]]
// CHECK:       vector.bitcast %{{.*}} : vector<2xbf16> to vector<1xi32>
// CHECK:       x86vector.avx512.dot %{{.*}}, %{{.*}}, %{{.*}} : vector<32xbf16> -> vector<16xf32>
// CHECK:       arith.extui %{{.*}} : i16 to i32
// Weights and gradients of scores are rounded once.
// CHECK:       x86vector.avx512.cvt.packed.f32_to_bf16
// CHECK-NEXT:  vector.store %{{.*}}, %[[P:[a-z0-9_]+]][%{{.*}}] : memref<48x16xbf16>
// CHECK:       scf.for
// CHECK:       x86vector.avx512.cvt.packed.f32_to_bf16
// CHECK-NEXT:  vector.store %{{.*}}, %[[DS:[a-z0-9_]+]][%{{.*}}] : memref<48x16xbf16>
// CHECK:       vector.interleave
// CHECK-NEXT:  vector.store %{{.*}}, %[[PAIRS:[a-z0-9_]+]][%{{.*}}] : memref<24x32xbf16>
// dV += P dO
// CHECK:       vector.load %[[DV]]
// CHECK:       vector.load %[[P]]{{.*}} vector<2xbf16>
// CHECK:       x86vector.avx512.dot
// CHECK:       vector.store %{{.*}}, %[[DV]]
// dK += dS Q
// CHECK:       vector.load %[[DK]]
// CHECK:       vector.load %[[DS]]{{.*}} vector<2xbf16>
// CHECK:       x86vector.avx512.dot
// CHECK:       vector.store %{{.*}}, %[[DK]]
// dQ += dS^T K
// CHECK:       vector.load %[[DQ]]
// CHECK:       vector.load %[[PAIRS]]{{.*}} vector<2xbf16>
// CHECK:       x86vector.avx512.dot
// CHECK:       vector.store %{{.*}}, %[[DQ]]
func.func @step(%q: !q, %k: !k, %v: !v, %l: !r, %r: !r, %do: !do, %p: memref<33x16xbf16>, %pdo: memref<16x16xbf16>,
                %dq: memref<16x33xf32>, %dk: memref<48x33xf32>, %dv: memref<48x16xf32>) {
  lattn.attention_grad_step query(%q : !q) key(%k : !k) value(%v : !v)
      lse(%l : !r) row_sums(%r : !r) d_output(%do : !do) packed(%p, %pdo : memref<33x16xbf16>, memref<16x16xbf16>)
      outs(%dq, %dk, %dv : memref<16x33xf32>, memref<48x33xf32>, memref<48x16xf32>) {schedule = #lattn.schedule<products = dot>}
  return
}
