// RUN: not lattn-opt %s -transform-interpreter -split-input-file -o /dev/null 2>&1 | FileCheck %s

// A tile of keys has no softmax of its own.
!q = tensor<1x1x16x64xf32>
!kv = tensor<1x1x128x64xf32>
!op = !transform.any_op
func.func @keys(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  // CHECK: [[#@LINE+1]]:8: error: 'lattn.attention' op cannot be tiled along keys: softmax couples them; tile lattn.online_attention instead
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
  return %0 : !q
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !op) {
    %op = transform.structured.match ops{["lattn.attention"]} in %m : (!op) -> !op
    transform.structured.tile_using_for %op tile_sizes [0, 0, 0, 32] : (!op) -> (!op, !op)
    transform.yield
  }
}

// -----

// Three heads of groups of four are no slice of the key heads.
!q = tensor<1x12x16x64xf32>
!kv = tensor<1x3x128x64xf32>
!op = !transform.any_op
func.func @heads(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  // CHECK: [[#@LINE+1]]:8: error: 'lattn.attention' op cannot be tiled to several heads at a time unless the tile and where it starts divide or are multiples of the number of query heads per key head
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
  return %0 : !q
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !op) {
    %op = transform.structured.match ops{["lattn.attention"]} in %m : (!op) -> !op
    transform.structured.tile_using_for %op tile_sizes [0, 3] : (!op) -> (!op, !op)
    transform.yield
  }
}

// -----

// Heads 2 to 5 of groups of four reach into two of them.
!q = tensor<1x12x16x64xf32>
!kv = tensor<1x3x128x64xf32>
!part = tensor<1x4x16x64xf32>
!op = !transform.any_op
func.func @misaligned(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  // CHECK: [[#@LINE+1]]:8: error: 'lattn.attention' op cannot be tiled to several heads at a time
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
  %1 = scf.forall (%i) in (1) shared_outs(%e = %o) -> !q {
    %2 = tensor.extract_slice %0[0, 2, 0, 0] [1, 4, 16, 64] [1, 1, 1, 1] : !q to !part
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %e[0, 2, 0, 0] [1, 4, 16, 64] [1, 1, 1, 1] : !part into !q
    }
  }
  return %1 : !q
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !op) {
    %op = transform.structured.match ops{["lattn.attention"]} in %m : (!op) -> !op
    %loop = transform.structured.match ops{["scf.forall"]} in %m : (!op) -> !op
    transform.structured.fuse_into_containing_op %op into %loop : (!op, !op) -> (!op, !op)
    transform.yield
  }
}
