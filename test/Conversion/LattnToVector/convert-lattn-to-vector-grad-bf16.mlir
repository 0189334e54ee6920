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
// CHECK:       call @[[MULTIPLY:lattn_multiply_keys[_0-9]*]](%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[QUERIES]])
// Weights and gradients of scores are rounded once.
// CHECK:       x86vector.avx512.cvt.packed.f32_to_bf16
// CHECK-NEXT:  vector.store %{{.*}}, %[[P:[a-z0-9_]+]][%{{.*}}] : memref<48x16xbf16>
// CHECK:       scf.for
// CHECK:       x86vector.avx512.cvt.packed.f32_to_bf16
// CHECK-NEXT:  vector.store %{{.*}}, %[[DS:[a-z0-9_]+]][%{{.*}}] : memref<48x16xbf16>
// CHECK:       vector.interleave
// CHECK-NEXT:  vector.store %{{.*}}, %[[PAIRS:[a-z0-9_]+]][%{{.*}}] : memref<24x32xbf16>
// dV += P dO
// CHECK-DAG:   %[[TO:.*]] = memref.cast %[[DV]]
// CHECK-DAG:   %[[W:.*]] = memref.cast %[[P]]
// CHECK:       call @[[ADD:lattn_add_rows[_0-9]*]](%{{.*}}, %{{.*}}, %[[TO]], %{{.*}}, %{{.*}}, %[[W]], %{{.*}}, %false)
// dK += dS Q
// CHECK-DAG:   %[[TO:.*]] = memref.cast %[[DK]]
// CHECK-DAG:   %[[W:.*]] = memref.cast %[[DS]]
// CHECK:       call @lattn_add_rows{{.*}}(%{{.*}}, %{{.*}}, %[[TO]], %{{.*}}, %{{.*}}, %[[W]], %{{.*}}, %false)
// dQ += dS^T K
// CHECK-DAG:   %[[TO:.*]] = memref.cast %[[DQ]]
// CHECK-DAG:   %[[W:.*]] = memref.cast %[[PAIRS]]
// CHECK:       call @lattn_add_rows{{.*}}(%{{.*}}, %{{.*}}, %[[TO]], %{{.*}}, %{{.*}}, %[[W]], %{{.*}}, %false)

// Scores: a pair of a key's features, in all lanes, times those of queries.
// CHECK:       func.func private @[[MULTIPLY]](%{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<?x16xf32>, %{{.*}}: memref<?x33xbf16, {{.*}}>, %[[QUERIES:[^:]+]]: memref<17x32xbf16>)
// CHECK:       vector.load %[[QUERIES]]
// CHECK:       vector.bitcast %{{.*}} : vector<2xbf16> to vector<1xi32>
// CHECK:       x86vector.avx512.dot %{{.*}}, %{{.*}}, %{{.*}} : vector<32xbf16> -> vector<16xf32>
// CHECK:       arith.extui %{{.*}} : i16 to i32

// CHECK:       func.func private @[[ADD]](%{{.*}}: index, %{{.*}}: index, %[[TO:[^:]+]]: memref<?x16xf32, strided<[?, 1], offset: ?>>, %{{.*}}: memref<?x16xf32>, %{{.*}}: memref<?x16xbf16, {{.*}}>, %[[W:[^:]+]]: memref<?x16xbf16>, %[[M:[^:]+]]: memref<?x32xbf16>, %{{.*}}: i1)
// CHECK:       vector.load %[[TO]]
// CHECK:       vector.load %[[M]]
// CHECK:       vector.load %[[W]]{{.*}} vector<2xbf16>
// CHECK:       x86vector.avx512.dot
// CHECK:       vector.store %{{.*}}, %[[TO]]
func.func @step(%q: !q, %k: !k, %v: !v, %l: !r, %r: !r, %do: !do, %p: memref<33x16xbf16>, %pdo: memref<16x16xbf16>,
                %dq: memref<16x33xf32>, %dk: memref<48x33xf32>, %dv: memref<48x16xf32>) {
  lattn.attention_grad_step query(%q : !q) key(%k : !k) value(%v : !v)
      lse(%l : !r) row_sums(%r : !r) d_output(%do : !do) packed(%p, %pdo : memref<33x16xbf16>, memref<16x16xbf16>)
      outs(%dq, %dk, %dv : memref<16x33xf32>, memref<48x33xf32>, memref<48x16xf32>) {schedule = #lattn.schedule<products = dot>}
  return
}
