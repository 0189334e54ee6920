// RUN: lattn-opt %s --lattn-tile=gpu --split-input-file -verify-diagnostics | FileCheck %s

!q = tensor<2x4x?x64xbf16>
!pool = tensor<?x2x48x64xbf16>

// The largest tile that divides the page and that tensor cores take.
// CHECK-LABEL: @page_of_48
// CHECK: lattn.sweep_keys {{.*}} by 48
func.func @page_of_48(%q: !q, %k: !pool, %pages: tensor<2x?xi32>) -> !q {
  %0 = lattn.gather_pages ins(%k, %pages : !pool, tensor<2x?xi32>) -> tensor<2x2x?x64xbf16>
  %1 = lattn.attention query(%q : !q) key(%0 : tensor<2x2x?x64xbf16>) value(%0 : tensor<2x2x?x64xbf16>) outs(%q : !q)
  return %1 : !q
}

// -----

!q = tensor<2x4x?x64xbf16>
!pool = tensor<?x2x40x64xbf16>

func.func @page_of_40(%q: !q, %k: !pool, %pages: tensor<2x?xi32>) -> !q {
  %0 = lattn.gather_pages ins(%k, %pages : !pool, tensor<2x?xi32>) -> tensor<2x2x?x64xbf16>
  // expected-error @below {{expected pages of a multiple of 16 keys for a GPU, got pages of 40}}
  %1 = lattn.attention query(%q : !q) key(%0 : tensor<2x2x?x64xbf16>) value(%0 : tensor<2x2x?x64xbf16>) outs(%q : !q)
  return %1 : !q
}
