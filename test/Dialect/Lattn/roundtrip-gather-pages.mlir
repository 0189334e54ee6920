// RUN: lattn-opt %s | lattn-opt | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// CHECK-LABEL: func.func @gather_pages(
// CHECK: lattn.gather_pages ins(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<?x2x64x128xf32>, tensor<?x?xi32>) -> tensor<?x2x?x128xf32>
func.func @gather_pages(%pool: tensor<?x2x64x128xf32>, %pages: tensor<?x?xi32>) -> tensor<?x2x?x128xf32> {
  %0 = lattn.gather_pages ins(%pool, %pages : tensor<?x2x64x128xf32>, tensor<?x?xi32>)
      -> tensor<?x2x?x128xf32>
  return %0 : tensor<?x2x?x128xf32>
}

// CHECK-LABEL: func.func @gather_pages_bnhd(
// CHECK: lattn.gather_pages ins(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<9x16x2x8xbf16>, tensor<3x4xi64>) {layout = #lattn.layout<bnhd>} -> tensor<3x64x2x8xbf16>
func.func @gather_pages_bnhd(%pool: tensor<9x16x2x8xbf16>, %pages: tensor<3x4xi64>) -> tensor<3x64x2x8xbf16> {
  %0 = lattn.gather_pages ins(%pool, %pages : tensor<9x16x2x8xbf16>, tensor<3x4xi64>)
      {layout = #lattn.layout<bnhd>} -> tensor<3x64x2x8xbf16>
  return %0 : tensor<3x64x2x8xbf16>
}
