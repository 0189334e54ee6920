// RUN: lattn-opt %s | lattn-opt | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

!acc = !fragment.tile<64x32xf32, #fragment.mma<accumulator, warps = 4>>
!a = !fragment.tile<64x32xbf16, #fragment.mma<operand, warps = 4>>
!row = !fragment.tile<64xf32, #fragment.mma<row, warps = 4>>
!keys = memref<32x32xbf16, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @buffers(
// CHECK: fragment.splat %{{.*}} : f32 -> <64x32xf32, #fragment.mma<accumulator, warps = 4>>
// CHECK: fragment.copy %{{.*}}, %{{.*}} {threads = 128 : i64} : memref<?x30xbf16, strided<[?, ?], offset: ?>>, memref<32x32xbf16, #gpu.address_space<workgroup>>
// CHECK: fragment.load %{{.*}} : memref<?x32xbf16> -> <64x32xbf16, #fragment.mma<operand, warps = 4>>
// CHECK: fragment.multiply %{{.*}}, %{{.*}}, %{{.*}} {transposed} : <64x32xbf16, {{.*}}>, memref<32x32xbf16, {{.*}}> -> <64x32xf32, {{.*}}>
// CHECK: fragment.reduce max %{{.*}} : <64x32xf32, {{.*}}> -> <64xf32, #fragment.mma<row, warps = 4>>
// CHECK: fragment.fold %{{.*}} : <64x32xf32, {{.*}}> -> <64x8xf32, #fragment.mma<accumulator, warps = 4>>
// CHECK: fragment.map ins(%{{.*}}, %{{.*}} : {{.*}}) -> <64x32xf32, {{.*}}> {
// CHECK: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: f32, %{{.*}}: f32):
// CHECK: fragment.yield %{{.*}} : f32
// CHECK: fragment.narrow %{{.*}} : <64x32xf32, {{.*}}> -> <64x32xbf16, {{.*}}>
// CHECK: fragment.multiply %{{.*}}, %{{.*}}, %{{.*}} {skip_zeros} :
// CHECK: fragment.any_nan %{{.*}} : <64x32xf32, {{.*}}>
// CHECK: fragment.store %{{.*}}, %{{.*}} : <64x32xf32, {{.*}}>, memref<?x32xbf16>
func.func @buffers(%q: memref<?x32xbf16>, %k: memref<?x30xbf16, strided<[?, ?], offset: ?>>, %s: !keys, %o: memref<?x32xbf16>) {
  %zero = arith.constant 0.0 : f32
  %0 = fragment.splat %zero : f32 -> !acc
  fragment.copy %k, %s {threads = 128 : i64} : memref<?x30xbf16, strided<[?, ?], offset: ?>>, !keys
  %1 = fragment.load %q : memref<?x32xbf16> -> !a
  %2 = fragment.multiply %1, %s, %0 {transposed} : !a, !keys -> !acc
  %3 = fragment.reduce max %2 : !acc -> !row
  %sums = fragment.fold %2 : !acc -> !fragment.tile<64x8xf32, #fragment.mma<accumulator, warps = 4>>
  %4 = fragment.map ins(%2, %3 : !acc, !row) -> !acc {
  ^bb0(%i: index, %j: index, %x: f32, %m: f32):
    %d = arith.subf %x, %m : f32
    fragment.yield %d : f32
  }
  %5 = fragment.narrow %4 : !acc -> !a
  %6 = fragment.multiply %5, %s, %0 {skip_zeros} : !a, !keys -> !acc
  %7 = fragment.any_nan %6 : !acc
  fragment.store %6, %o : !acc, memref<?x32xbf16>
  return
}

// CHECK-LABEL: func.func @tiles(
// CHECK: fragment.repeat_if_nan %{{.*}}, %{{.*}} : !fragment.tile<64x32xf32, {{.*}}>, !fragment.tile<64xf32, {{.*}}> {
// CHECK: fragment.yield %{{.*}}, %{{.*}} : !fragment.tile<64x32xf32, {{.*}}>, !fragment.tile<64xf32, {{.*}}>
// CHECK: %{{.*}}:2 = fragment.work_tile %{{.*}} in(%{{.*}}, %{{.*}}){{$}}
// CHECK: fragment.work_tile %{{.*}} in(%{{.*}}) {block_per_tile}
// CHECK: fragment.thread_column
func.func @tiles(%acc: !acc, %max: !row, %number: index, %heads: index) -> (!acc, !row, index) {
  %0:2 = fragment.repeat_if_nan %acc, %max : !acc, !row {
    fragment.yield %acc, %max : !acc, !row
  }
  %head, %tile = fragment.work_tile %number in (%heads, %number)
  %1 = fragment.work_tile %tile in (%heads) {block_per_tile}
  %column = fragment.thread_column
  return %0#0, %0#1, %1 : !acc, !row, index
}

// CHECK-LABEL: func.func @columns(
// CHECK: fragment.copy %{{.*}}, %{{.*}} {threads = 128 : i64} : memref<?xf32>, memref<32xf32, #gpu.address_space<workgroup>>
// CHECK: fragment.load %{{.*}} : memref<?xf32> -> <32xf32, #fragment.mma<column, warps = 4>>
// CHECK: fragment.map ins(%{{.*}}, %{{.*}} : !fragment.tile<64x32xf32, {{.*}}>, !fragment.tile<32xf32, #fragment.mma<column, warps = 4>>) -> <64x32xf32
func.func @columns(%x: memref<?xf32>, %s: memref<32xf32, #gpu.address_space<workgroup>>, %acc: !acc) {
  fragment.copy %x, %s {threads = 128 : i64} : memref<?xf32>, memref<32xf32, #gpu.address_space<workgroup>>
  %0 = fragment.load %x : memref<?xf32> -> !fragment.tile<32xf32, #fragment.mma<column, warps = 4>>
  %1 = fragment.map ins(%acc, %0 : !acc, !fragment.tile<32xf32, #fragment.mma<column, warps = 4>>) -> !acc {
  ^bb0(%i: index, %j: index, %a: f32, %c: f32):
    %s2 = arith.addf %a, %c : f32
    fragment.yield %s2 : f32
  }
  return
}

// CHECK-LABEL: func.func @flags(
// CHECK: fragment.load_flags %{{.*}} : memref<?xi1> -> <32xi1, #fragment.mma<column, warps = 4>>
func.func @flags(%x: memref<?xi1>) {
  %0 = fragment.load_flags %x : memref<?xi1> -> !fragment.tile<32xi1, #fragment.mma<column, warps = 4>>
  return
}

// CHECK-LABEL: func.func @widen(
// CHECK: fragment.widen %{{.*}} : <64x32xbf16, #fragment.mma<operand, warps = 4>> -> <64x32xf32, #fragment.mma<accumulator, warps = 4>>
// CHECK: fragment.load_tma_tiles %{{.*}} : memref<1x64x64xbf16, #gpu.address_space<workgroup>> -> <64x32xbf16, #fragment.mma<operand, warps = 4>>
func.func @widen(%a: !a, %tiles: memref<1x64x64xbf16, #gpu.address_space<workgroup>>) -> !acc {
  %0 = fragment.widen %a : !a -> !acc
  %1 = fragment.load_tma_tiles %tiles : memref<1x64x64xbf16, #gpu.address_space<workgroup>> -> !a
  return %0 : !acc
}

// CHECK-LABEL: func.func @tensors(
// CHECK: %[[R:.*]] = fragment.store %{{.*}}, %{{.*}} : <64xf32, {{.*}}>, tensor<?xf32> -> tensor<?xf32>
// CHECK: return %[[R]]
func.func @tensors(%t: !row, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fragment.store %t, %o : !row, tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

!flags = !fragment.tile<64x32xi1, #fragment.mma<accumulator, warps = 4>>

// CHECK-LABEL: func.func @fours(
// CHECK: fragment.map_fours -> <64x32xi1, #fragment.mma<accumulator, warps = 4>> {
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index):
// CHECK: fragment.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i1, i1, i1, i1
// CHECK: fragment.map_fours in_column -> <64x32xi1
func.func @fours(%a: i1, %b: i1) {
  %0 = fragment.map_fours -> !flags {
  ^bb0(%i: index, %j: index):
    fragment.yield %a, %b, %a, %a : i1, i1, i1, i1
  }
  %1 = fragment.map_fours in_column -> !flags {
  ^bb0(%i: index, %j: index):
    fragment.yield %a, %b, %a, %a : i1, i1, i1, i1
  }
  return
}
