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
  // expected-error @below {{expected an accumulator or a row of f32}}
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

func.func @parameter(%map: !llvm.ptr) {
  %0 = llvm.getelementptr %map[1] : (!llvm.ptr) -> !llvm.ptr, i8
  // expected-error @below {{expected an argument of the kernel}}
  %1 = fragment.tensor_map_parameter %0 : !llvm.ptr
  return
}

// -----

func.func @no_parameter(%map: !llvm.ptr, %yes: i1) {
  cf.br ^other(%map : !llvm.ptr)
^other(%argument: !llvm.ptr):
  // expected-error @below {{expected an argument of the kernel}}
  %0 = fragment.tensor_map_parameter %argument : !llvm.ptr
  return
}

// -----

// expected-error @below {{expected 'fragment.kernel' on 'gpu.launch_func' only, as #fragment.kernel, got #fragment.kernel<query_tile = 64>}}
func.func @conventions_c3_elsewhere() attributes {fragment.kernel = #fragment.kernel<query_tile = 64>} {
  return
}

// -----

// expected-error @below {{the fragment dialect has no attribute 'fragment.kernels'; it has 'fragment.kernel'}}
func.func @conventions_c3_unknown() attributes {fragment.kernels = 64} {
  return
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @kernel() kernel {
    gpu.return
  }
}
func.func @conventions_c3_type(%n: index) {
  // expected-error @below {{expected 'fragment.kernel' on 'gpu.launch_func' only, as #fragment.kernel, got 64 : i64}}
  gpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) {fragment.kernel = 64}
  return
}
}

// -----

// expected-error @below {{expected a query_tile of at least 1, got 0}}
func.func private @query_tile(f32 {fragment.x = #fragment.kernel<query_tile = 0>})

// -----

func.func @warps() {
  // expected-error @below {{expected a multiple of 4 warps in each role, got 3}}
  fragment.warp_specialize warps(8) {
  } warps(3) {
  }
  return
}

// -----

func.func @one_role() {
  // expected-error @below {{expected a number of warps for each of 2 or more roles, got 1 for 1}}
  fragment.warp_specialize warps(4) {
  }
  return
}

// -----

func.func @registers() {
  // expected-error @below {{expected a multiple of 8 from 24 to 256 as a role's registers, got 244}}
  fragment.warp_specialize warps(8, registers = 244) {
  } warps(4, registers = 24) {
  }
  return
}

// -----

func.func @one_role_registers() {
  // expected-error @below {{expected registers of all roles or of none}}
  fragment.warp_specialize warps(8, registers = 24) {
  } warps(4) {
  }
  return
}

// -----

func.func @one_number_of_registers() {
  // expected-error @below {{expected registers of all roles or of none}}
  "fragment.warp_specialize"() <{warps = array<i64: 8, 4>, registers = array<i64: 24>}> ({
  ^bb0:
  }, {
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @threads() {
  // expected-error @below {{expected at most 1024 threads in a block, got 1152}}
  fragment.warp_specialize warps(32) {
  } warps(4) {
  }
  return
}

// -----

func.func @load_element(%tiles: memref<1x64x64xbf16, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected an operand of 'bf16', got '!fragment.tile<64x32xf16}}
  %0 = fragment.load_tma_tiles %tiles : memref<1x64x64xbf16, #gpu.address_space<workgroup>> -> !fragment.tile<64x32xf16, #fragment.mma<operand, warps = 4>>
  return
}
