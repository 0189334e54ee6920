// What is raised and what is not, as MLIR's remarks: filtered, and in a file.

// DEFINE: %{raise} = lattn-opt %s --lattn-raise -o /dev/null
// RUN: %{raise} --remarks-filter=lattn-raise 2>&1 | FileCheck %s
// RUN: %{raise} --remarks-filter-failed=lattn-raise 2>&1 | FileCheck %s --check-prefix=FAILED
// RUN: %{raise} --remarks-filter=lattn-raise --remark-policy=final --remark-format=yaml --remarks-output-file=%t.yaml
// RUN: FileCheck %s --check-prefix=YAML < %t.yaml
// Where remarks were not asked for, a diagnostic says why.
// RUN: %{raise} 2>&1 | FileCheck %s --check-prefix=DIAGNOSTIC
// RUN: %{raise} --remarks-filter=other 2>&1 | FileCheck %s --check-prefix=DIAGNOSTIC

// CHECK-DAG: remarks.mlir:[[#@LINE+25]]:8: remark: [Passed] attention | Category:lattn-raise | Function=attend | Remark="raised to lattn.attention"
// CHECK-DAG: remarks.mlir:[[#@LINE+35]]:8: remark: [Failure] attention | Category:lattn-raise | Function=other_axis | {{.*}}Reason="the softmax is not along the keys"
// FAILED-NOT: Passed
// FAILED: Function=other_axis
// FAILED-NOT: Passed
// YAML-DAG: --- !Passed
// YAML-DAG: Function: {{ *}}attend
// YAML-DAG: --- !Failure
// YAML-DAG: Function: {{ *}}other_axis
// YAML-DAG: Reason: {{ *}}the softmax is not along the keys
// DIAGNOSTIC-NOT: raised to
// DIAGNOSTIC: remark: not raised to lattn.attention: the softmax is not along the keys
// DIAGNOSTIC-NOT: raised to

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
func.func @attend(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %w = linalg.softmax dimension(2) ins(%s : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}
func.func @other_axis(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %w = linalg.softmax dimension(1) ins(%s : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}
