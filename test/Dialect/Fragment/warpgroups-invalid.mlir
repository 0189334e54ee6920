// RUN: lattn-opt %s -split-input-file -verify-diagnostics

!acc = !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 2>>
!tiles = memref<1x64x64xbf16, #gpu.address_space<workgroup>>
func.func @groups(%q: !tiles, %k: !tiles) {
  // expected-error @below {{expected 64 rows for each four warps}}
  %0 = fragment.warpgroup_multiply %q, %k {inner = 64, transposed} : !tiles, !tiles -> !acc
  return
}

// -----

!acc = !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
!tiles = memref<1x64x64xbf16>
func.func @global(%q: !tiles, %k: !tiles) {
  // expected-error @below {{expected right in TMA tiles of shared memory, of a multiple of 8 rows and of 64 columns}}
  %0 = fragment.warpgroup_multiply %q, %k {inner = 64, transposed} : !tiles, !tiles -> !acc
  return
}

// -----

!acc = !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
!tiles = memref<1x64x64xbf16, #gpu.address_space<workgroup>>
func.func @columns(%q: !tiles, %k: !tiles) {
  // expected-error @below {{expected at least 64 rows and 80 columns of right}}
  %0 = fragment.warpgroup_multiply %q, %k {inner = 80, transposed} : !tiles, !tiles -> !acc
  return
}

// -----

!acc = !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
!tiles = memref<1x64x64xbf16, #gpu.address_space<workgroup>>
func.func @inner(%q: !tiles, %k: !tiles) {
  // expected-error @below {{expected inner to be a multiple of 16, got 8}}
  %0 = fragment.warpgroup_multiply %q, %k {inner = 8, transposed} : !tiles, !tiles -> !acc
  return
}

// -----

!acc = !fragment.tile<64x264xf32, #fragment.mma<accumulator, warps = 4>>
!tiles = memref<1x64x64xbf16, #gpu.address_space<workgroup>>
func.func @wide(%q: !tiles, %k: !tiles) {
  // expected-error @below {{expected at most 256 columns}}
  %0 = fragment.warpgroup_multiply %q, %k {inner = 64, transposed} : !tiles, !tiles -> !acc
  return
}

// -----

!acc = !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
!weights = !fragment.tile<64x32xbf16, #fragment.mma<operand, warps = 4>>
!tiles = memref<1x64x64xbf16, #gpu.address_space<workgroup>>
func.func @left(%p: !weights, %v: !tiles, %acc: !acc) {
  // expected-error @below {{expected left to be an operand of 64 rows, 64 columns and 4 warps of 'bf16', got}}
  %0 = fragment.warpgroup_multiply %p, %v, %acc {inner = 64} : !weights, !tiles, !acc -> !acc
  return
}

// -----

!acc = !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
!other = !fragment.tile<64x32xf32, #fragment.mma<accumulator, warps = 4>>
!tiles = memref<1x64x64xbf16, #gpu.address_space<workgroup>>
func.func @accumulator(%q: !tiles, %v: !tiles, %acc: !other) {
  // expected-error @below {{expected an accumulator of the result's type}}
  %0 = fragment.warpgroup_multiply %q, %v, %acc {inner = 64} : !tiles, !tiles, !other -> !acc
  return
}

// -----

!acc = !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
func.func @pending(%acc: !acc) {
  // expected-error @below {{expected 0 to 7 pending, got 8}}
  %0 = fragment.warpgroup_wait %acc {pending = 8} : !acc
  return
}

// -----

!weights = !fragment.tile<64x32xbf16, #fragment.mma<operand, warps = 4>>
func.func @settle(%p: !weights) {
  // expected-error @below {{expected an accumulator or a row of f32}}
  fragment.settle %p : !weights
  return
}

// -----

!weights = !fragment.tile<64x32xbf16, #fragment.mma<operand, warps = 4>>
func.func @has_nan(%p: !weights) -> i1 {
  // expected-error @below {{expected a tile of f32}}
  %0 = fragment.has_nan %p : !weights
  return %0 : i1
}

// -----

!weights = !fragment.tile<64x32xbf16, #fragment.mma<operand, warps = 4>>
!tiles = memref<1x64x64xbf16, #gpu.address_space<workgroup>>
func.func @store_weights(%p: !weights, %b: !tiles) {
  // expected-error @below {{expected an accumulator of f32, got '!fragment.tile<64x32xbf16}}
  fragment.store_tma_tiles %p, %b : !weights, !tiles
  return
}

// -----

!acc = !fragment.tile<64x96xf32, #fragment.mma<accumulator, warps = 4>>
!tiles = memref<1x64x64xbf16, #gpu.address_space<workgroup>>
func.func @store_columns(%p: !acc, %b: !tiles) {
  // expected-error @below {{expected at least 64 rows and 96 columns of room for the tile, got}}
  fragment.store_tma_tiles %p, %b : !acc, !tiles
  return
}

// -----

!acc = !fragment.tile<128x64xf32, #fragment.mma<accumulator, warps = 4>>
!tiles = memref<1x128x64xbf16, #gpu.address_space<workgroup>>
func.func @store_groups(%p: !acc, %b: !tiles) {
  // expected-error @below {{expected 64 rows for each four warps}}
  fragment.store_tma_tiles %p, %b : !acc, !tiles
  return
}

// -----

func.func @one_group() {
  // expected-error @below {{expected 2 to 3 groups, got 1}}
  fragment.ping_pong_wait {groups = 1}
  return
}

// -----

func.func @many_groups() {
  // expected-error @below {{expected 2 to 3 groups, got 4}}
  fragment.ping_pong_arrive {groups = 4}
  return
}

// -----

func.func @reachable() -> i1 {
  // expected-error @below {{expected to be the condition of 'scf.if', got 'func.return'}}
  %0 = fragment.reachable
  return %0 : i1
}

// -----

func.func @producers() {
  // expected-error @below {{expected a multiple of 4 warps as producers, got 3}}
  fragment.warp_specialize producers(3) {
  } consumers(8) {
  }
  return
}

// -----

func.func @consumers() {
  // expected-error @below {{expected a multiple of 4 warps as consumers, got 6}}
  fragment.warp_specialize producers(4) {
  } consumers(6) {
  }
  return
}

// -----

func.func @registers() {
  // expected-error @below {{expected a multiple of 8 from 24 to 256 as the consumers' registers, got 244}}
  fragment.warp_specialize producers(4, registers = 24) {
  } consumers(8, registers = 244) {
  }
  return
}

// -----

func.func @one_role_registers() {
  // expected-error @below {{expected registers of both roles or of none}}
  fragment.warp_specialize producers(4, registers = 24) {
  } consumers(8) {
  }
  return
}

// -----

func.func @threads() {
  // expected-error @below {{expected at most 1024 threads in a block, got 1152}}
  fragment.warp_specialize producers(4) {
  } consumers(32) {
  }
  return
}
