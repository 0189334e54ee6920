// A tile of a larger op, at an origin that is constant, an argument, or computed:
// what it sees there is counted and drawn.
// REQUIRES: python, slow
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy, sys; o = dict(q0=numpy.int64(256), k0=numpy.int64(200)); numpy.savez(sys.argv[1], **o); numpy.savez(sys.argv[2], **o, lens=numpy.int32([420]), mask=numpy.arange(600)[None] >= 216)" %t/in.npz %t/more.npz
// DEFINE: %{run} = lattn-run %s --random=1 --cache=off --verify-loops
// RUN: %{run} --entry=constant --explain=%t/a.svg | FileCheck %s
// RUN: %{run} --entry=given --input=%t/in.npz --explain=%t/b.svg | FileCheck %s
// RUN: FileCheck %s --input-file=%t/a.svg --check-prefix=PICTURE
// RUN: cmp %t/a.svg %t/b.svg
// RUN: %{run} --entry=computed --explain=%t/c.svg | FileCheck %s --check-prefix=COMPUTED
// RUN: FileCheck %s --input-file=%t/c.svg --check-prefix=NOT-DRAWN
// RUN: %{run} --entry=hidden --input=%t/more.npz --explain=%t/d.svg | FileCheck %s --check-prefix=HIDDEN
// RUN: FileCheck %s --input-file=%t/d.svg --check-prefix=COLUMNS

// Queries 256 to 655 over keys 200 to 499: 17904 pairs of 64 FLOPs, in 2 heads.
// CHECK: out0 agrees with lattn-to-loops
// CHECK: origin               batch 0, head 0, query 256, key 200
// CHECK: useful               0.002292 GFLOP{{$}}
// PICTURE: a tile of a larger op, from batch 0, head 0, query 256, key 200 on
// PICTURE: class="origin"
// PICTURE: origin: query 256, key 200 of the larger op
// PICTURE: a  first queries: 256 to 287
// COMPUTED: useful {{.*}} at most
// NOT-DRAWN: origin is computed: drawn as if it were not given
// NOT-DRAWN: origin: computed, so not drawn

// The larger op's keys 216 to 419: 12440 pairs.
// HIDDEN: out0 agrees with lattn-to-loops
// HIDDEN: useful               0.001592 GFLOP{{$}}
// COLUMNS: kv_lens ends batch 0 at 220 of 300 keys
// COLUMNS: beyond kv_lens
// COLUMNS: class="masked" d="M84 

!q = tensor<1x2x400x16xf32>
!k = tensor<1x2x300x16xf32>
#window = #lattn.window<left = 64, right = 0>
func.func @constant(%q: !q, %k: !k) -> !q {
  %q0 = arith.constant 256 : index
  %k0 = arith.constant 200 : index
  %0 = call @given(%q, %k, %q0, %k0) : (!q, !k, index, index) -> !q
  return %0 : !q
}
func.func @given(%q: !q, %k: !k, %q0: index {lattn.name = "q0"}, %k0: index {lattn.name = "k0"}) -> !q {
  %c0 = arith.constant 0 : index
  %o = arith.constant 0 : i64
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%k : !k) offset(%o : i64)
         origin(%c0, %c0, %q0, %k0) outs(%q : !q) {window = #window}
  return %0 : !q
}
func.func @computed(%q: !q, %k: !k) -> !q {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %q[%c0, %c0, %c0, %c0] : !q
  %i = arith.fptosi %x : f32 to i32
  %q0 = arith.index_cast %i : i32 to index
  %0 = call @given(%q, %k, %q0, %c0) : (!q, !k, index, index) -> !q
  return %0 : !q
}
func.func @hidden(%q: !q, %k: !k, %q0: index {lattn.name = "q0"}, %k0: index {lattn.name = "k0"},
                  %lens: tensor<1xi32> {lattn.name = "lens"},
                  %mask: tensor<1x600xi1> {lattn.name = "mask"}) -> !q {
  %c0 = arith.constant 0 : index
  %o = arith.constant 0 : i64
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%k : !k)
         key_mask(%mask : tensor<1x600xi1>) kv_lens(%lens : tensor<1xi32>) offset(%o : i64)
         origin(%c0, %c0, %q0, %k0) outs(%q : !q) {window = #window}
  return %0 : !q
}
