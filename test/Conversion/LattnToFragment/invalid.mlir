// RUN: not lattn-opt %s --lattn-tile="gpu query-tile=48 key-tile=32" --convert-lattn-to-fragment 2>&1 | FileCheck %s
// CHECK: error: 'lattn.finalize' op expected a multiple of 64 queries a tile for 4 warps, got 48

!t = tensor<1x2x?x64xbf16>
func.func @rows(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return %0 : !t
}
