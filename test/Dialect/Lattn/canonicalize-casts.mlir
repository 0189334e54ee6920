// RUN: lattn-opt %s -canonicalize | FileCheck %s

!s = tensor<1x2x4x8xf32>
!d = tensor<?x?x?x?xf32>

// CHECK-LABEL: func.func @cast(
// CHECK: lattn.attention query(%{{[^ ,)]+}} : tensor<1x2x4x8xf32>) key(%{{[^ ,)]+}} : tensor<1x2x4x8xf32>) value(%{{[^ ,)]+}} : tensor<1x2x4x8xf32>) outs(%{{[^ ,)]+}} : tensor<1x2x4x8xf32>)
// CHECK-NOT: tensor.cast
// CHECK: return
func.func @cast(%q: !s) -> !s {
  %d = tensor.cast %q : !s to !d
  %0 = lattn.attention query(%d : !d) key(%d : !d) value(%d : !d) outs(%d : !d)
  %1 = tensor.cast %0 : !d to !s
  return %1 : !s
}

// A capture keeps the type that the region knows it by.
// CHECK-LABEL: func.func @cast_capture(
// CHECK: captures(%{{[^ ,)]+}} : tensor<[[N:4|\?]]xf32>)
// CHECK: %{{[^ ,)]+}}: tensor<[[N]]xf32>):
func.func @cast_capture(%q: !s, %t: tensor<4xf32>) -> !s {
  %d = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %0 = lattn.attention query(%q : !s) key(%q : !s) value(%q : !s)
      captures(%d : tensor<?xf32>) outs(%q : !s) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %c: tensor<?xf32>):
      %k = arith.index_cast %j : i32 to index
      %x = tensor.extract %c[%k] : tensor<?xf32>
      %r = arith.addf %s, %x : f32
      lattn.yield %r : f32
    }
  return %0 : !s
}

// CHECK-LABEL: func.func @cast_online(
// CHECK: %[[R:.*]]:3 = lattn.online_attention
// CHECK-SAME: outs(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<1x2x4x8xf32>, tensor<?x?x?xf32>, tensor<1x2x4xf32>) {scale = 2.000000e+00 : f64, test.kept}
// CHECK: tensor.cast %[[R]]#0 : tensor<1x2x4x8xf32> to tensor<?x?x?x?xf32>
// CHECK: return %{{[^ ,)]+}}, %[[R]]#1
func.func @cast_online(%q: !s, %m: tensor<?x?x?xf32>, %l: tensor<1x2x4xf32>)
    -> (!d, tensor<?x?x?xf32>) {
  %d = tensor.cast %q : !s to !d
  %e = tensor.cast %l : tensor<1x2x4xf32> to tensor<?x?x?xf32>
  %0:3 = lattn.online_attention query(%d : !d) key(%d : !d) value(%d : !d)
      outs(%d, %m, %e : !d, tensor<?x?x?xf32>, tensor<?x?x?xf32>)
      {scale = 2.0 : f64, test.kept}
  return %0#0, %0#1 : !d, tensor<?x?x?xf32>
}

// A head size that one array's type tells, the other knows: query and key, value
// and output.
// CHECK-LABEL: func.func @share_head_sizes(
// CHECK-DAG: %[[Q:.*]] = tensor.cast %{{.*}} : tensor<1x4x5x?xf32> to tensor<1x4x5x8xf32>
// CHECK-DAG: %[[V:.*]] = tensor.cast %{{.*}} : tensor<?x2x7x?xf32> to tensor<?x2x7x16xf32>
// CHECK: lattn.attention query(%[[Q]] : {{.*}}) key(%{{.*}} : tensor<?x?x?x8xf32>) value(%[[V]] : {{.*}})
func.func @share_head_sizes(%q: tensor<1x4x5x?xf32>, %k: tensor<?x?x?x8xf32>, %v: tensor<?x2x7x?xf32>,
                            %o: tensor<1x4x5x16xf32>) -> tensor<1x4x5x16xf32> {
  %0 = lattn.attention query(%q : tensor<1x4x5x?xf32>) key(%k : tensor<?x?x?x8xf32>)
      value(%v : tensor<?x2x7x?xf32>) outs(%o : tensor<1x4x5x16xf32>)
  return %0 : tensor<1x4x5x16xf32>
}

// A result keeps its type for who uses it.
// CHECK-LABEL: func.func @share_output(
// CHECK: %[[O:.*]] = tensor.cast %{{.*}} : tensor<?x?x?x?xf32> to tensor<?x?x?x8xf32>
// CHECK: %[[R:.*]]:2 = lattn.attention {{.*}} outs(%[[O]] : tensor<?x?x?x8xf32>, %{{.*}} : tensor<?x?x?xf32>) {layout = #lattn.layout<bnhd>}
// CHECK: %[[BACK:.*]] = tensor.cast %[[R]]#0 : tensor<?x?x?x8xf32> to tensor<?x?x?x?xf32>
// CHECK: return %[[BACK]], %[[R]]#1
func.func @share_output(%q: tensor<1x5x4x8xf32>, %o: tensor<?x?x?x?xf32>, %l: tensor<?x?x?xf32>)
    -> (tensor<?x?x?x?xf32>, tensor<?x?x?xf32>) {
  %0:2 = lattn.attention query(%q : tensor<1x5x4x8xf32>) key(%q : tensor<1x5x4x8xf32>)
      value(%q : tensor<1x5x4x8xf32>) outs(%o : tensor<?x?x?x?xf32>, %l : tensor<?x?x?xf32>)
      {layout = #lattn.layout<bnhd>}
  return %0#0, %0#1 : tensor<?x?x?x?xf32>, tensor<?x?x?xf32>
}

// Gradients know their arrays, too; who uses them sees the types of before.
// CHECK-LABEL: func.func @cast_grad(
// CHECK: %[[R:.*]]:3 = lattn.attention_grad query(%[[Q:[^ ]*]] : tensor<1x2x4x8xf32>) key(%[[Q]] : {{.*}} output(%[[Q]] : tensor<1x2x4x8xf32>) lse(%[[L:[^ ]*]] : tensor<1x2x4xf32>)
// CHECK-SAME: d_lse(%[[L]] : tensor<1x2x4xf32>) outs(%[[Q]], %[[Q]], %[[Q]] : tensor<1x2x4x8xf32>,
// CHECK: %[[D:.*]] = tensor.cast %[[R]]#1 : tensor<1x2x4x8xf32> to tensor<?x?x?x?xf32>
// CHECK: return %[[R]]#0, %[[D]]
func.func @cast_grad(%q: !s, %l: tensor<1x2x4xf32>) -> (!s, !d) {
  %d = tensor.cast %q : !s to !d
  %e = tensor.cast %l : tensor<1x2x4xf32> to tensor<?x?x?xf32>
  %0:3 = lattn.attention_grad query(%d : !d) key(%d : !d) value(%d : !d) output(%d : !d)
      lse(%e : tensor<?x?x?xf32>) d_output(%d : !d) d_lse(%e : tensor<?x?x?xf32>) outs(%d, %d, %d : !d, !d, !d)
  %1 = tensor.cast %0#0 : !d to !s
  return %1, %0#1 : !s, !d
}
