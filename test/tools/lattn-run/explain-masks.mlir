// What the values of arguments hide, and what only running could tell.
// REQUIRES: slow
// RUN: lattn-run %s --entry=masked --random=1 --cache=off \
// RUN:   --explain=%t.svg > /dev/null
// RUN: FileCheck %s --input-file=%t.svg --check-prefix=MASK
// RUN: lattn-run %s --entry=computed --random=1 --cache=off \
// RUN:   --explain=%t.svg > /dev/null
// RUN: FileCheck %s --input-file=%t.svg --check-prefix=COMPUTED
// RUN: lattn-run %s --entry=before --random=1 --cache=off \
// RUN:   --explain=%t.svg > /dev/null
// RUN: FileCheck %s --input-file=%t.svg --check-prefix=BEFORE
// RUN: lattn-run %s --entry=twice --random=1 --cache=off \
// RUN:   --explain=%t.svg > /dev/null
// RUN: FileCheck %s --input-file=%t.svg --check-prefix=TWICE
// RUN: lattn-run %s --entry=without --random=1 --cache=off \
// RUN:   --explain=%t.svg > /dev/null
// RUN: FileCheck %s --input-file=%t.svg --check-prefix=WITHOUT
// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.int32([100]))"
// RUN: lattn-run %s --entry=beyond --input=%t.npy --random=1 --cache=off \
// RUN:   --explain | FileCheck %s --check-prefix=BEYOND

// MASK: a key mask may hide any key: every tile is masked{{<}}
// MASK: steps
// MASK-NEXT: 0 without a mask
// MASK: hidden by the key mask, in batch 0
// MASK: class="masked" d="M
// COMPUTED: kv_lens is computed: drawn as if it hid nothing
// BEFORE: query i stands at key i - 70
// BEFORE: no key is visible here: rows are 0
// TWICE: attention 0, 1</text>
// TWICE: attention 2</text>
// WITHOUT: no attention op
// A length of 100 means all 64 keys: 64 * 65 / 2 pairs of 32 FLOPs.
// BEYOND: useful {{ *}}6.656e-05 GFLOP

!t = tensor<1x1x64x8xf32>
func.func @masked(%q: !t, %m: tensor<1x64xi1>) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
         key_mask(%m : tensor<1x64xi1>) outs(%q : !t)
  return %0 : !t
}
func.func @computed(%q: !t) -> !t {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %q[%c0, %c0, %c0, %c0] : !t
  %i = arith.fptosi %x : f32 to i32
  %l = tensor.from_elements %i : tensor<1xi32>
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
         kv_lens(%l : tensor<1xi32>) outs(%q : !t)
  return %0 : !t
}
func.func @before(%q: !t) -> !t {
  %o = arith.constant -70 : i64
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
         offset(%o : i64) outs(%q : !t) {causal}
  return %0 : !t
}
func.func @beyond(%l: tensor<1xi32>, %q: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
         kv_lens(%l : tensor<1xi32>) outs(%q : !t) {causal}
  return %0 : !t
}
func.func @twice(%q: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
  %1 = lattn.attention query(%0 : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
  %2 = lattn.attention query(%1 : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
         {causal}
  return %2 : !t
}
func.func @without(%q: !t) -> !t {
  return %q : !t
}
