// RUN: lattn-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected a multiple of 64 rows for 4 warps, got 48}}
func.func @rows(%t: !fragment.tile<48x16xf32, #fragment.mma<accumulator, warps = 4>>)

// -----

// expected-error @below {{expected 1 extents of a tile with part row, got 2}}
func.func @rank(%t: !fragment.tile<64x16xf32, #fragment.mma<row, warps = 4>>)

// -----

// expected-error @below {{expected a multiple of 16 columns of a tile with part operand, got 8}}
func.func @columns(%t: !fragment.tile<64x8xbf16, #fragment.mma<operand, warps = 4>>)

// -----

// expected-error @below {{expected elements f16 or bf16 of an operand, got 'f32'}}
func.func @element(%t: !fragment.tile<64x16xf32, #fragment.mma<operand, warps = 4>>)

// -----

// expected-error @below {{expected 1 to 32 warps, got 0}}
func.func @warps(%t: !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 0>>)

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
func.func @scalar(%x: f64) {
  // expected-error @below {{expected scalar and result of equal element types, got 'f64' and 'f32'}}
  %0 = fragment.splat %x : f64 -> !acc
  return
}

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
!a = !fragment.tile<64x16xbf16, #fragment.mma<operand, warps = 4>>
func.func @wide(%x: memref<?x32xbf16>) {
  // expected-error @below {{expected at most 16 elements along axis 1 of source, got 'memref<?x32xbf16>'}}
  %0 = fragment.load %x : memref<?x32xbf16> -> !a
  return
}

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
!a = !fragment.tile<128x16xbf16, #fragment.mma<operand, warps = 4>>
func.func @multiply(%a: !a, %b: memref<16x16xbf16>, %c: !acc) {
  // expected-error @below {{expected left and accumulator of the same rows and warps}}
  %0 = fragment.multiply %a, %b, %c : !a, memref<16x16xbf16> -> !acc
  return
}

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
!a = !fragment.tile<64x512xbf16, #fragment.mma<operand, warps = 4>>
func.func @counted(%a: !a, %b: memref<512x16xbf16>, %c: !acc) {
  // expected-error @below {{expected at most 256 columns of left with skip_zeros, got 512}}
  %0 = fragment.multiply %a, %b, %c {skip_zeros} : !a, memref<512x16xbf16> -> !acc
  return
}

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
!other = !fragment.tile<64x32xf32, #fragment.mma<accumulator, warps = 4>>
func.func @map(%a: !other) {
  // expected-error @below {{expected input 0 to be a row, a column or an accumulator of the extents and warps of the result}}
  %0 = fragment.map ins(%a : !other) -> !acc {
  ^bb0(%i: index, %j: index, %x: f32):
    fragment.yield %x : f32
  }
  return
}

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
func.func @yields(%a: !acc) {
  // expected-error @below {{expected the region to yield one 'f32', got 'index'}}
  %0 = fragment.map ins(%a : !acc) -> !acc {
  ^bb0(%i: index, %j: index, %x: f32):
    fragment.yield %i : index
  }
  return
}

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
!row = !fragment.tile<128xf32, #fragment.mma<row, warps = 4>>
func.func @reduce(%a: !acc) {
  // expected-error @below {{expected the result '!fragment.tile<64xf32, #fragment.mma<row, warps = 4>>'}}
  %0 = fragment.reduce add %a : !acc -> !row
  return
}

// -----

!acc = !fragment.tile<64x48xf32, #fragment.mma<accumulator, warps = 4>>
!sums = !fragment.tile<64x32xf32, #fragment.mma<accumulator, warps = 4>>
func.func @fold(%a: !acc) {
  // expected-error @below {{expected f32, rows and warps as in source, and columns that divide those of source, got '!fragment.tile<64x48xf32}}
  %0 = fragment.fold %a : !acc -> !sums
  return
}

// -----

func.func @copy(%a: memref<?x16xbf16>, %b: memref<16x16xbf16>) {
  // expected-error @below {{expected dest to be, dense in shared memory, a matrix with a multiple of 16 columns or a vector of f32, got 'memref<16x16xbf16>'}}
  fragment.copy %a, %b {threads = 128 : i64} : memref<?x16xbf16>, memref<16x16xbf16>
  return
}

// -----

!row = !fragment.tile<64xf32, #fragment.mma<row, warps = 4>>
func.func @store(%a: !row, %b: tensor<?xf32>) {
  // expected-error @below {{expected a result of the type of dest for a tensor, and none for a memref}}
  fragment.store %a, %b : !row, tensor<?xf32>
  return
}

// -----

func.func @work_tile(%number: index) {
  // expected-error @below {{expected a grid of at least one axis}}
  fragment.work_tile %number in ()
  return
}

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
!other = !fragment.tile<64x8xf32, #fragment.mma<accumulator, warps = 4>>
func.func @repeat_yields(%a: !acc, %b: !other) {
  // expected-error @below {{expected the region to yield tiles of '!fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>', got '!fragment.tile<64x8xf32, #fragment.mma<accumulator, warps = 4>>'}}
  fragment.repeat_if_nan %a : !acc {
    fragment.yield %b : !other
  }
  return
}

// -----

!a = !fragment.tile<64x16xbf16, #fragment.mma<operand, warps = 4>>
func.func @repeat_operand(%a: !a) {
  // expected-error @below {{expected at least one accumulator}}
  fragment.repeat_if_nan %a : !a {
    fragment.yield %a : !a
  }
  return
}

// -----

!acc = !fragment.tile<64x16xi32, #fragment.mma<accumulator, warps = 4>>
func.func @repeat_integers(%a: !acc) {
  // expected-error @below {{expected an accumulator or a row of f32, got '!fragment.tile<64x16xi32, #fragment.mma<accumulator, warps = 4>>'}}
  fragment.repeat_if_nan %a : !acc {
    fragment.yield %a : !acc
  }
  return
}

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
func.func @load_accumulator(%x: memref<?x16xf32>) {
  // expected-error @below {{expected result to have part operand, row or column, got '!fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>'}}
  %0 = fragment.load %x : memref<?x16xf32> -> !acc
  return
}

// -----

!column = !fragment.tile<16xf32, #fragment.mma<column, warps = 4>>
func.func @load_columns(%x: memref<17xf32>) {
  // expected-error @below {{expected at most 16 elements along axis 0 of source, got 'memref<17xf32>'}}
  %0 = fragment.load %x : memref<17xf32> -> !column
  return
}

// -----

// expected-error @below {{expected a multiple of 8 columns of a tile with part column, got 12}}
func.func @columns(%t: !fragment.tile<12xf32, #fragment.mma<column, warps = 4>>)

// -----

// expected-error @below {{expected 1 extents of a tile with part column, got 2}}
func.func @column_extents(%t: !fragment.tile<64x16xf32, #fragment.mma<column, warps = 4>>)

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
!column = !fragment.tile<8xf32, #fragment.mma<column, warps = 4>>
func.func @map_columns(%a: !column) {
  // expected-error @below {{expected input 0 to be a row, a column or an accumulator of the extents and warps of the result}}
  %0 = fragment.map ins(%a : !column) -> !acc {
  ^bb0(%i: index, %j: index, %x: f32):
    fragment.yield %x : f32
  }
  return
}

// -----

!column = !fragment.tile<16xf32, #fragment.mma<column, warps = 4>>
func.func @store_columns(%a: !column, %b: memref<?xf32>) {
  // expected-error @below {{expected an accumulator or a row as source, got}}
  fragment.store %a, %b : !column, memref<?xf32>
  return
}

// -----

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
func.func @fours_of_numbers(%a: i1) {
  // expected-error @below {{expected an accumulator of i1 as result, got '!fragment.tile<64x16xf32}}
  %0 = fragment.map_fours -> !acc {
  ^bb0(%i: index, %j: index):
    fragment.yield %a, %a, %a, %a : i1, i1, i1, i1
  }
  return
}

// -----

!flags = !fragment.tile<64x16xi1, #fragment.mma<accumulator, warps = 4>>
func.func @three(%a: i1) {
  // expected-error @below {{expected the region to yield four i1, got 'i1', 'i1', 'i1'}}
  %0 = fragment.map_fours -> !flags {
  ^bb0(%i: index, %j: index):
    fragment.yield %a, %a, %a : i1, i1, i1
  }
  return
}

// -----

!flags = !fragment.tile<64x16xi1, #fragment.mma<accumulator, warps = 4>>
func.func @element_of_fours(%a: i1) {
  // expected-error @below {{expected a region of (row, column), got 'index'}}
  %0 = fragment.map_fours -> !flags {
  ^bb0(%i: index):
    fragment.yield %a, %a, %a, %a : i1, i1, i1, i1
  }
  return
}

// -----

func.func @flags(%x: memref<?xi1>) {
  // expected-error @below {{expected a column of i1 as result, got '!fragment.tile<64xi1, #fragment.mma<row, warps = 4>>'}}
  %0 = fragment.load_flags %x : memref<?xi1> -> !fragment.tile<64xi1, #fragment.mma<row, warps = 4>>
  return
}

// -----

func.func @too_many_flags(%x: memref<40xi1>) {
  // expected-error @below {{expected at most 32 elements along axis 0 of source, got 'memref<40xi1>'}}
  %0 = fragment.load_flags %x : memref<40xi1> -> !fragment.tile<32xi1, #fragment.mma<column, warps = 4>>
  return
}

// -----

!a = !fragment.tile<64x32xbf16, #fragment.mma<operand, warps = 4>>
func.func @widen(%a: !a) {
  // expected-error @below {{expected a result of f32 of the source's extents and warps}}
  %0 = fragment.widen %a : !a -> !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
  return
}
