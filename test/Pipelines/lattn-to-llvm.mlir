// RUN: lattn-opt %s --lattn-to-llvm="mcpu=x86-64-v3" -o %t && FileCheck %s --input-file=%t
// RUN: lattn-opt %s --lattn-to-llvm="mcpu=x86-64-v2" | FileCheck %s --check-prefix=V2
// RUN: lattn-opt %s --lattn-to-llvm="mcpu=x86-64-v3 mattr=+avx512f,+avx512vl" | FileCheck %s --check-prefix=AVX512
// RUN: lattn-opt %s --lattn-to-llvm="mcpu=x86-64-v3 query-tile=8" | FileCheck %s --check-prefix=QUERY
// RUN: lattn-opt %s --lattn-to-llvm="mcpu=x86-64-v3 key-tile=24" | FileCheck %s --check-prefix=KEY
// RUN: lattn-opt %s --lattn-to-llvm="mcpu=x86-64-v3 split-kv=2" | FileCheck %s --check-prefix=SPLIT
// RUN: sed 's/-> !t {/-> !t attributes {lattn.schedule = #lattn.schedule<least_queries = 9>} {/' %s | lattn-opt --lattn-to-llvm="mcpu=x86-64-v3" | FileCheck %s --check-prefix=MANY
// RUN: lattn-opt %s --lattn-to-llvm="mcpu=x86-64-v3 parallel=false" | FileCheck %s --check-prefix=SERIAL
// RUN: lattn-opt %s --lattn-to-llvm="mcpu=x86-64-v3 generic-alloc" | FileCheck %s --check-prefix=GENERIC
// RUN: lattn-opt %s --lattn-to-llvm="mcpu=x86-64-v3 query-tile=3" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not lattn-opt %s --lattn-to-llvm="mcpu=no-such-cpu" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU

// Each option changes something.

// CHECK-DAG:  llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-DAG:  llvm.func @free(!llvm.ptr)
// CHECK-DAG:  llvm.func @lattn_parallel_for(!llvm.ptr, !llvm.ptr, i64) attributes {sym_visibility = "private"}
// CHECK-DAG:  llvm.call @lattn_parallel_for(
// CHECK-DAG:  llvm.func @_mlir_ciface_local(
// CHECK-DAG:  llvm.intr.fmuladd{{.*}} vector<8xf32>

// CHECK-DAG:  llvm.func internal @lattn_online_attention_rows
// The function says that it never has few queries.
// MANY-NOT:   llvm.func internal @lattn_online_attention_rows
// MANY:       llvm.func internal @lattn_online_attention(
// MANY-NOT:   llvm.func internal @lattn_online_attention_rows

// V2-NOT:     vector<8xf32>
// V2:         vector<4xf32>
// V2-NOT:     vector<8xf32>
// AVX512:     vector<16xf32>
// A tile's queries are 32 x 16 elements, or 32 x 8.
// CHECK-DAG:  llvm.mlir.constant(512 : index)
// QUERY-NOT:  llvm.mlir.constant(512 : index)
// QUERY:      llvm.mlir.constant(256 : index)
// QUERY-NOT:  llvm.mlir.constant(512 : index)
// CHECK-DAG:  llvm.mlir.constant(72 : index)
// KEY:        llvm.mlir.constant(24 : index)
// KEY-NOT:    llvm.mlir.constant(72 : index)
// SPLIT-COUNT-2: llvm.call @lattn_parallel_for(
// SERIAL-NOT: lattn_parallel_for
// SERIAL:     llvm.call @local_parallel(
// SERIAL-NOT: lattn_parallel_for
// GENERIC-NOT: @malloc
// GENERIC-DAG: llvm.call @_mlir_memref_to_llvm_alloc
// GENERIC-DAG: llvm.call @_mlir_memref_to_llvm_free
// LANES: remark: query tile of 3 rounded up to 8: a vector holds 8 queries in 'f32'
// CPU: error: {{.*}}no-such-cpu

!t = tensor<1x4x?x32xf32>
func.func @local(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%n) : !t
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%e : !t)
      {window = #lattn.window<left = 200, right = 0>}
  %1 = linalg.add ins(%0, %q : !t, !t) outs(%o : !t) -> !t
  return %1 : !t
}
