// Heads that share keys share tiles where each has one query: known to the
// compiler, or found at run time.
// REQUIRES: slow
// DEFINE: %{run} = lattn-run %s --random=1 --cache=off --explain
// RUN: %{run} --entry=one | FileCheck %s
// RUN: %{run} --entry=any --shape=0:1x16x1x8 --shape=1:1x1x96x8 | FileCheck %s
// CHECK: kernel {{.*}} heads that share keys on lanes
// CHECK: executed {{.*}} useful/executed 1{{$}}

// With more queries tiles are of one head's.
// RUN: %{run} --entry=any --shape=0:1x16x32x8 --shape=1:1x1x96x8 | FileCheck %s --check-prefix=MANY
// MANY: kernel {{.*}} queries on lanes
// MANY: executed {{.*}} useful/executed 1{{$}}

// Two queries leave lanes empty, which features fill; memory bounds them.
// RUN: %{run} --entry=any --shape=0:1x16x2x8 --shape=1:1x1x96x8 | FileCheck %s --check-prefix=FEW
// FEW: kernel {{.*}} features on lanes
// FEW: executed {{.*}} useful/executed 1{{$}}
// FEW: memory rate {{.*}} GB/s at least: each array once

// Vectors of a tile that hold no query are not computed.
// RUN: %{run} --entry=any --query-tile=64 --shape=0:1x16x32x8 --shape=1:1x1x96x8 | FileCheck %s --check-prefix=MANY

!q = tensor<1x16x1x8xf32>
!k = tensor<1x1x96x8xf32>
func.func @one(%q: !q, %k: !k) -> !q {
  %e = tensor.empty() : !q
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%k : !k) outs(%e : !q)
  return %0 : !q
}
!qs = tensor<?x16x?x8xf32>
!ks = tensor<?x1x?x8xf32>
func.func @any(%q: !qs, %k: !ks) -> !qs {
  %0 = lattn.attention query(%q : !qs) key(%k : !ks) value(%k : !ks) outs(%q : !qs)
  return %0 : !qs
}
