// RUN: lattn-opt %s --lattn-to-nvvm=chip=sm_80 --mlir-print-ir-after=lattn-stage-shared -o /dev/null 2>&1 | FileCheck %s

// A copy of a tile of keys ahead finds the page of that tile, not of the step's.

// CHECK: lattn.sweep_keys (%[[KEY:[a-z0-9_]+]], %{{.+}}) in
// CHECK: %[[NEXT:.+]] = arith.addi %[[KEY]], %c{{[0-9]+}}
// CHECK: scf.if
// CHECK: %[[ENTRY:.+]] = affine.apply #{{.+}}()[%[[NEXT]]]
// CHECK: memref.load %{{.+}}[%{{.+}}, %[[ENTRY]]] : memref<2x?xi32
// CHECK: %[[ROWS:.+]] = memref.subview %{{.+}} : memref<?x2x64x64xbf16{{.*}} to memref<?x64xbf16
// CHECK: fragment.copy %[[ROWS]]
func.func @pages(%q: tensor<2x2x70x64xbf16>, %k: tensor<?x2x64x64xbf16>, %v: tensor<?x2x64x64xbf16>, %pages: tensor<2x?xi32>,
                 %lens: tensor<2xi32>, %e: tensor<2x2x70x64xbf16>) -> tensor<2x2x70x64xbf16> {
  %0 = lattn.gather_pages ins(%k, %pages : tensor<?x2x64x64xbf16>, tensor<2x?xi32>) -> tensor<2x2x?x64xbf16>
  %1 = lattn.gather_pages ins(%v, %pages : tensor<?x2x64x64xbf16>, tensor<2x?xi32>) -> tensor<2x2x?x64xbf16>
  %2 = lattn.attention query(%q : tensor<2x2x70x64xbf16>) key(%0 : tensor<2x2x?x64xbf16>) value(%1 : tensor<2x2x?x64xbf16>)
      kv_lens(%lens : tensor<2xi32>) outs(%e : tensor<2x2x70x64xbf16>)
  return %2 : tensor<2x2x70x64xbf16>
}
