// RUN: lattn-opt %s --lattn-check-sizes --split-input-file | FileCheck %s
// RUN: lattn-opt %s --lattn-check-sizes --split-input-file \
// RUN:   | FileCheck %s --check-prefix=TEXTS

// Only what can differ is compared: a size with itself is not.
// TEXTS: 'lattn.attention' op expected query heads to be a multiple of key heads
// TEXTS: argument 'q': expected axis 1 to have at least %lld elements, got %lld
// TEXTS-SAME: argument 'q': expected the address of elements, got NULL
// TEXTS: argument 'q': expected an array, got NULL
// CHECK: llvm.mlir.global internal constant @[[SIZES:.*]](dense<[1, -1, -1, 8]>
// CHECK-LABEL: func private @lattn_note_size(
// CHECK: scf.if
// CHECK: llvm.call @lattn_describe_sizes
// CHECK-LABEL: func private @lattn_check_array(
// CHECK: scf.for
// CHECK: call @lattn_note_size
// CHECK-LABEL: func @lattn_check_sizes_attention(
// CHECK-SAME: %[[Q:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr) -> !llvm.ptr
// CHECK: call @lattn_note_size
// CHECK: scf.if
// CHECK: call @lattn_check_array(%{{.*}}, %[[Q]], %c4{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: llvm.getelementptr %[[Q]][4]
// CHECK-NOT: lattn.attention
// CHECK: %[[REST:.*]] = arith.remui
// CHECK: call @lattn_note_size
// CHECK: return
!t = tensor<1x?x?x8xf32>
func.func @attention(%q: !t {lattn.name = "q"}, %k: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%k : !t) outs(%q : !t)
  return %0 : !t
}

// -----

// In what is called, in branches and loops, and of sizes that are computed; of
// what is computed only by the call nothing is known.
// The last is written first.
// TEXTS-NOT: 'arith.mulf' op
// TEXTS: 'lattn.l2_normalize' op expected axis 0 of output to be input's extent
// TEXTS: 'tensor.extract_slice' op expected the end of the slice on axis 0 to be at most
// TEXTS: 'tensor.cast' op expected axis 0 of the source to be the result's
// TEXTS: 'tensor.insert_slice' op expected axis 0 of the source to be the slice's
// TEXTS: 'arith.addf' op expected axis 0 of operand 1 to be the first one's
// TEXTS: 'tensor.empty' op expected a size of at least
// TEXTS: 'linalg.matmul' op expected axis 0 of operand 1 to be the extent of loop 2
// CHECK-LABEL: func @lattn_check_sizes_around(
// CHECK: scf.if %{{.*}} {
// CHECK: scf.for
!v = tensor<?xf32>
!m = tensor<?x?xf32>
func.func private @product(%a: !m, %b: !m, %c: !m) -> !m {
  %0 = linalg.matmul ins(%a, %b : !m, !m) outs(%c : !m) -> !m
  return %0 : !m
}
func.func @around(%a: !m, %b: !m, %c: !m, %x: !v, %n: index, %flag: i1,
                  %ns: tensor<index>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = call @product(%a, %b, %c) : (!m, !m, !m) -> !m
  %twice = arith.addi %n, %n : index
  %e = tensor.empty(%twice) : !v
  %1 = arith.addf %x, %e : !v
  %part = tensor.insert_slice %x into %e[0] [%n] [1] : !v into !v
  %2 = tensor.cast %x : !v to tensor<4xf32>
  scf.if %flag {
    %m = tensor.dim %0, %c0 : !m
    scf.for %i = %c0 to %n step %c1 {
      %slice = tensor.extract_slice %x[%i] [%m] [1] : !v to !v
    }
    %d = tensor.empty(%n, %n) : !m
    %r = lattn.l2_normalize ins(%a : !m) outs(%d : !m)
  }
  %read = tensor.extract %ns[] : tensor<index>
  %unknown = tensor.empty(%read) : !v
  %3 = arith.mulf %unknown, %x : !v
  return
}

// -----

// CHECK-NOT: lattn_check_sizes_hidden
func.func private @hidden(%x: tensor<?xf32>) {
  return
}
func.func @shown() {
  return
}

// -----

// Amounts that are known and negative, or unknown; the last is written first.
// TEXTS: 'tensor.pad' op expected high of axis 1 to be at least %lld, got %lld
// TEXTS: 'tensor.pad' op expected high of axis 0 to be at least %lld, got %lld
// TEXTS-NOT: 'tensor.pad' op expected low
// CHECK-LABEL: func @lattn_check_sizes_pad(
// CHECK: arith.cmpi slt
func.func @pad(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1, 0] high[-1, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// What a convolution reads last: 2 * (outputs - 1) + (weights - 1).
// TEXTS: 'linalg.generic' op expected axis 0 of operand 0 to have at least %lld elements, got %lld
// CHECK-LABEL: func @lattn_check_sizes_convolution(
// CHECK: arith.muli
func.func @convolution(%x: tensor<?xf32>, %w: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i * 2 + j)>, affine_map<(i, j) -> (j)>,
                     affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Keys in pages: those of the table, of pools that have a page.
// TEXTS: 'lattn.online_attention' op expected axis 2 of key to be the extent seen before
// TEXTS: 'lattn.online_attention' op expected keys before %lld, the end of its pages, got keys to %lld
// TEXTS: 'lattn.online_attention' op expected num_keys of at least
// TEXTS: 'lattn.online_attention' op expected first_key of at least
// TEXTS: 'lattn.online_attention' op expected value with at least %lld page, got %lld
// TEXTS: 'lattn.online_attention' op expected key with at least %lld page, got %lld
// CHECK-LABEL: func @lattn_check_sizes_pages(
func.func @pages(%q: tensor<4x?xf32>, %k: tensor<?x16x8xf32>, %pages: tensor<?xi32>, %first: index, %count: index, %m: tensor<4xf32>) -> tensor<4x?xf32> {
  %0:3 = lattn.online_attention query(%q : tensor<4x?xf32>) key(%k : tensor<?x16x8xf32>) value(%k : tensor<?x16x8xf32>)
      pages(%pages[%first, %count] : tensor<?xi32>) outs(%q, %m, %m : tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>)
      {indexing_maps = [
        affine_map<(b, h, q, k, d, v) -> (q, d)>,
        affine_map<(b, h, q, k, d, v) -> (k, d)>,
        affine_map<(b, h, q, k, d, v) -> (k, v)>,
        affine_map<(b, h, q, k, d, v) -> (q, v)>,
        affine_map<(b, h, q, k, d, v) -> (q)>,
        affine_map<(b, h, q, k, d, v) -> (q)>]}
  return %0#0 : tensor<4x?xf32>
}
