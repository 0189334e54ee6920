// RUN: lattn-opt %s --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s --implicit-check-not=bufferization. --implicit-check-not=tensor
// RUN: lattn-opt %s --one-shot-bufferize | FileCheck %s
// RUN: sed -E '/^func.func @(stage_rows|attention_jvp_step)\(/,/^}/d' %s | lattn-opt --one-shot-bufferize="bufferize-function-boundaries" --lattn-to-loops -o /dev/null

// Upstream's bufferization alone takes every op of docs/spec.md.

!t = tensor<1x2x8x16xf32>
!r = tensor<1x2x8xf32>

// CHECK-LABEL: @attention
// CHECK: lattn.attention query(%{{.*}} : memref<{{.*}}) key(%{{.*}} outs(%{{.*}} : memref<1x2x8x16xf32
func.func @attention(%x: !t, %e: !t, %l: !r) -> (!t, !r) {
  %0:2 = lattn.attention query(%x : !t) key(%x : !t) value(%x : !t)
      outs(%e : !t, %l : !r) {causal, schedule = #lattn.schedule<query_tile = 16, key_tile = 64>}
  return %0#0, %0#1 : !t, !r
}

// CHECK-LABEL: @attention_grad(
// CHECK: lattn.attention_grad query(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<1x2x8x16xf32
func.func @attention_grad(%x: !t, %l: !r, %dq: !t, %dk: !t, %dv: !t) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%x : !t) key(%x : !t) value(%x : !t) output(%x : !t) lse(%l : !r)
      d_output(%x : !t) outs(%dq, %dk, %dv : !t, !t, !t) {causal}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// CHECK-LABEL: @attention_grad_step(
// CHECK: lattn.attention_grad_step query(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<8x16xf32
func.func @attention_grad_step(%x: tensor<8x16xf32>, %l: tensor<8xf32>, %dq: tensor<8x16xf32>, %dk: tensor<8x16xf32>,
    %dv: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %0:3 = lattn.attention_grad_step query(%x : tensor<8x16xf32>) key(%x : tensor<8x16xf32>) value(%x : tensor<8x16xf32>)
      lse(%l : tensor<8xf32>) row_sums(%l : tensor<8xf32>) d_output(%x : tensor<8x16xf32>)
      outs(%dq, %dk, %dv : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
  return %0#0, %0#1, %0#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// CHECK-LABEL: @attention_jvp(
// CHECK: lattn.attention_jvp query(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<1x2x8x16xf32
func.func @attention_jvp(%x: !t, %o: !t, %l: !r, %do: !t, %dl: !r) -> (!t, !r, !t, !r) {
  %0:4 = lattn.attention_jvp query(%x : !t) key(%x : !t) value(%x : !t) d_query(%x : !t)
      outs(%o, %l, %do, %dl : !t, !r, !t, !r) {causal}
  return %0#0, %0#1, %0#2, %0#3 : !t, !r, !t, !r
}

// CHECK-LABEL: @attention_jvp_step(
// CHECK: lattn.attention_jvp_step query(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<16x8xf32
func.func @attention_jvp_step(%q: tensor<8x16xf32>, %k: tensor<8x8xf32>, %a: tensor<16x8xf32>, %m: tensor<16xf32>,
    %s: tensor<16xf32>, %da: tensor<16x8xf32>, %ds: tensor<16xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %n = arith.constant 16 : index
  %0:5 = lattn.attention_jvp_step query(%q : tensor<8x16xf32>) key(%k : tensor<8x8xf32>) value(%k : tensor<8x8xf32>)
      query_rows(%n) d_value(%k : tensor<8x8xf32>)
      outs(%a, %m, %s, %da, %ds : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x8xf32>, tensor<16xf32>)
  return %0#0, %0#3 : tensor<16x8xf32>, tensor<16x8xf32>
}

// CHECK-LABEL: @attention_scores
// CHECK: lattn.attention_scores query(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<1x2x8x8xf32
func.func @attention_scores(%x: !t, %e: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %0 = lattn.attention_scores query(%x : !t) key(%x : !t)
      outs(%e : tensor<1x2x8x8xf32>) {causal, stage = #lattn.stage<weights>}
  return %0 : tensor<1x2x8x8xf32>
}

// CHECK-LABEL: @online_attention
// CHECK: lattn.online_attention query(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<1x2x8x16xf32{{.*}} memref<1x2x8xf32
func.func @online_attention(%x: !t, %a: !t, %m: !r, %s: !r) -> (!t, !r, !r) {
  %0:3 = lattn.online_attention query(%x : !t) key(%x : !t) value(%x : !t)
      outs(%a, %m, %s : !t, !r, !r)
  return %0#0, %0#1, %0#2 : !t, !r, !r
}

// CHECK-LABEL: @merge
// CHECK: lattn.merge ins(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<16x64xf32
func.func @merge(%accs: tensor<?x16x64xf32>, %rows: tensor<?x16xf32>,
    %acc: tensor<16x64xf32>, %m: tensor<16xf32>, %s: tensor<16xf32>) -> tensor<16x64xf32> {
  %0:3 = lattn.merge
      ins(%accs, %rows, %rows : tensor<?x16x64xf32>, tensor<?x16xf32>, tensor<?x16xf32>)
      outs(%acc, %m, %s : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>)
      {value_axis = 1}
  return %0#0 : tensor<16x64xf32>
}

// CHECK-LABEL: @finalize
// CHECK: lattn.finalize ins(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<?x64xbf16
func.func @finalize(%acc: tensor<64x16xf32>, %row: tensor<16xf32>,
    %e: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = lattn.finalize ins(%acc, %row, %row : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>)
      outs(%e : tensor<?x64xbf16>) {value_axis = 0}
  return %0 : tensor<?x64xbf16>
}

// CHECK-LABEL: @pack_query
// CHECK: lattn.pack_query ins(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<64x16xf32
func.func @pack_query(%x: tensor<?x64xbf16>, %e: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %0 = lattn.pack_query ins(%x : tensor<?x64xbf16>) outs(%e : tensor<64x16xf32>)
      {scale = 0.125 : f64}
  return %0 : tensor<64x16xf32>
}

// CHECK-LABEL: @stage_rows
// CHECK: lattn.stage_rows ins(%{{.*}} : memref<{{.*}}) scratch(%{{.*}} : memref<{{.*}} -> memref<1x?x1x64xf32
func.func @stage_rows(%x: tensor<1x?x1x64xf32>, %e: tensor<1x512x1x64xf32>) -> tensor<1x?x1x64xf32> {
  %0 = lattn.stage_rows ins(%x : tensor<1x?x1x64xf32>)
      scratch(%e : tensor<1x512x1x64xf32>) {position_axis = 1 : i64} -> tensor<1x?x1x64xf32>
  return %0 : tensor<1x?x1x64xf32>
}

// CHECK-LABEL: @rotary
// CHECK: lattn.rotary ins(%{{.*}} : memref<{{.*}} start(%{{.*}}) outs(%{{.*}} : memref<1x2x?x16xf32
func.func @rotary(%x: tensor<1x2x?x16xbf16>, %p: index, %e: tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32> {
  %0 = lattn.rotary ins(%x : tensor<1x2x?x16xbf16>) start(%p)
      outs(%e : tensor<1x2x?x16xf32>) {dim = 16 : i64}
  return %0 : tensor<1x2x?x16xf32>
}

// CHECK-LABEL: @rotate_pairs
// CHECK: lattn.rotate_pairs ins(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<1x2x8x16xf32
func.func @rotate_pairs(%x: !t, %table: tensor<8x2x8xf32>, %p: index, %e: !t) -> !t {
  %0 = lattn.rotate_pairs ins(%x, %table : !t, tensor<8x2x8xf32>) start(%p)
      outs(%e : !t) {position_axis = 2 : i64}
  return %0 : !t
}

// CHECK-LABEL: @l2_normalize
// CHECK: lattn.l2_normalize ins(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<1x2x8x16xf32
func.func @l2_normalize(%x: !t, %e: !t) -> !t {
  %0 = lattn.l2_normalize ins(%x : !t) outs(%e : !t)
  return %0 : !t
}

// CHECK-LABEL: @local_attention
// CHECK: lattn.local_attention query(%{{.*}} : memref<{{.*}} key_mask(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<1x2x8x16xf32{{.*}} {causal, dim = 16 : i64, window_size = 4 : i64}
func.func @local_attention(%x: !t, %mask: tensor<1x8xi1>, %e: !t) -> !t {
  %0 = lattn.local_attention query(%x : !t) key(%x : !t) value(%x : !t)
      key_mask(%mask : tensor<1x8xi1>) outs(%e : !t)
      {window_size = 4 : i64, causal, dim = 16 : i64}
  return %0 : !t
}

// The destination is read as the input: it is not written in place.
// CHECK-LABEL: @local_attention_aliased
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: lattn.local_attention {{.*}} outs(%[[NEW]] :
func.func @local_attention_aliased(%x: !t) -> !t {
  %0 = lattn.local_attention query(%x : !t) key(%x : !t) value(%x : !t)
      outs(%x : !t) {window_size = 4 : i64}
  return %0 : !t
}

// CHECK-LABEL: @local_mha
// CHECK: lattn.local_mha input(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<2x?x6xf32
func.func @local_mha(%x: tensor<2x?x6xf32>, %qkv: tensor<24x6xf32>,
    %w: tensor<6x8xf32>, %e: tensor<2x?x6xf32>) -> tensor<2x?x6xf32> {
  %0 = lattn.local_mha input(%x : tensor<2x?x6xf32>)
      w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>)
      outs(%e : tensor<2x?x6xf32>) {heads = 2 : i64, window_size = 4 : i64, autopad}
  return %0 : tensor<2x?x6xf32>
}

// CHECK-LABEL: @multihead_attention
// CHECK: lattn.multihead_attention query(%{{.*}} : memref<{{.*}} outs(%{{.*}} : memref<2x?x8xf32{{.*}} weights(%{{.*}} : memref<{{.*}} next_key(%{{.*}} : memref<{{.*}} next_value(%{{.*}} : memref<
func.func @multihead_attention(%x: tensor<2x?x8xf32>, %w: tensor<8x8xf32>,
    %e: tensor<2x?x8xf32>, %weights: tensor<2x2x?x?xf32>,
    %nk: tensor<2x2x?x4xf32>, %nv: tensor<2x2x?x4xf32>)
    -> (tensor<2x?x8xf32>, tensor<2x2x?x?xf32>, tensor<2x2x?x4xf32>, tensor<2x2x?x4xf32>) {
  %0:4 = lattn.multihead_attention query(%x : tensor<2x?x8xf32>)
      key(%x : tensor<2x?x8xf32>) value(%x : tensor<2x?x8xf32>)
      w_q(%w : tensor<8x8xf32>) w_k(%w : tensor<8x8xf32>)
      w_v(%w : tensor<8x8xf32>) w_out(%w : tensor<8x8xf32>)
      outs(%e : tensor<2x?x8xf32>) weights(%weights : tensor<2x2x?x?xf32>)
      next_key(%nk : tensor<2x2x?x4xf32>) next_value(%nv : tensor<2x2x?x4xf32>)
      {heads = 2 : i64}
  return %0#0, %0#1, %0#2, %0#3 : tensor<2x?x8xf32>, tensor<2x2x?x?xf32>, tensor<2x2x?x4xf32>, tensor<2x2x?x4xf32>
}

// CHECK-LABEL: @sweep_keys
// CHECK: lattn.sweep_keys (%{{.*}}) by 4 {
// CHECK:   memref.store %{{.*}} : memref<4xf32
// CHECK:   lattn.yield{{$}}
func.func @sweep_keys(%t: tensor<4xf32>, %x: f32, %n: index) -> tensor<4xf32> {
  %0 = lattn.sweep_keys (%key, %size, %edge) in (%n edge %n) by 4
      iter_args(%s = %t) -> (tensor<4xf32>) {
    %1 = tensor.insert %x into %s[%key] : tensor<4xf32>
    lattn.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
