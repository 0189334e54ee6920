// RUN: lattn-opt %s --one-shot-bufferize=bufferize-function-boundaries -split-input-file -verify-diagnostics | FileCheck %s

#maps = [affine_map<(b, h, i, j, d, v) -> (d, i)>, affine_map<(b, h, i, j, d, v) -> (j, d)>, affine_map<(b, h, i, j, d, v) -> (j, v)>, affine_map<(b, h, i, j, d, v) -> (v, i)>, affine_map<(b, h, i, j, d, v) -> (i)>, affine_map<(b, h, i, j, d, v) -> (i)>]

// The steps update the state's buffers, which no result carries. The number does
// stay with the op.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME:    %[[ACC:[a-z0-9]*]]: memref<64x16xf32, strided<[?, ?], offset: ?>>, %[[MAX:[a-z0-9]*]]: memref<16xf32,
// CHECK-NOT:   memref.alloc
// CHECK-NOT:   memref.copy
// CHECK:       %[[N:.*]] = lattn.sweep_keys (%[[KEY:.*]], %[[SIZE:.*]], %{{.*}}) in (%{{.*}} edge %{{.*}}) by 48 iter_args(%[[I:.*]] = %{{.*}}) -> (index) {
// CHECK:         lattn.online_attention {{.*}} outs(%[[ACC]], %[[MAX]], %{{.*}} : memref<64x16xf32,
// CHECK:         lattn.yield %{{.*}} : index
// CHECK:       return {{.*}}%[[N]]
func.func @in_place(%acc: tensor<64x16xf32>, %max: tensor<16xf32>, %sum: tensor<16xf32>, %packed: tensor<64x16xf32>, %k: tensor<?x64xf32>,
                    %b0: index, %b1: index) -> (tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, index) {
  %0:4 = lattn.sweep_keys (%key, %size, %edge) in (%b0 edge %b1) by 48
      iter_args(%a = %acc, %m = %max, %s = %sum, %i = %b0) -> (tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, index) {
    %keys = tensor.extract_slice %k[%key, 0] [%size, 64] [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
    %1:3 = lattn.online_attention query(%packed : tensor<64x16xf32>) key(%keys : tensor<?x64xf32>) value(%keys : tensor<?x64xf32>) outs(%a, %m, %s : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>) {indexing_maps = #maps, scale = 1.0 : f64}
    %2 = arith.addi %i, %size : index
    lattn.yield %1#0, %1#1, %1#2, %2 : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, index
  }
  return %0#0, %0#1, %0#2, %0#3 : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, index
}

// -----

// A state that is wanted later is copied first.
// CHECK-LABEL: func.func @copied(
// CHECK:       %[[COPY:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK:       memref.copy %arg0, %[[COPY]]
// CHECK:       lattn.sweep_keys
// CHECK:         memref.store %{{.*}}, %[[COPY]]
func.func @copied(%init: tensor<4xf32>, %b0: index, %b1: index, %x: f32) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %0 = lattn.sweep_keys (%key, %size, %edge) in (%b0 interior %b1) by 4
      iter_args(%t = %init) -> (tensor<4xf32>) {
    %1 = tensor.insert %x into %t[%c0] : tensor<4xf32>
    lattn.yield %1 : tensor<4xf32>
  }
  %2 = tensor.extract %init[%c0] : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, f32
}

// -----

func.func @other(%init: tensor<4xf32>, %other: tensor<4xf32>, %b0: index, %b1: index) -> tensor<4xf32> {
  // expected-error@+1 {{expected a body that updates its state in place, but value 0 that it yields is another tensor}}
  %0 = lattn.sweep_keys (%key, %size, %edge) in (%b0 interior %b1) by 4
      iter_args(%t = %init) -> (tensor<4xf32>) {
    lattn.yield %other : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
