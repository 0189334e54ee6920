// RUN: lattn-opt %s | lattn-opt | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// CHECK-LABEL: func.func @pad_sequences(
// CHECK: %{{.+}}, %{{.+}} = lattn.pad_sequences ins(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<1x8x?x64xf32>, tensor<?xi32>) max_seqlen(%{{.+}}) -> tensor<?x8x?x64xf32>, tensor<?xi64>
func.func @pad_sequences(%packed: tensor<1x8x?x64xf32>, %cu: tensor<?xi32>, %most: index) -> (tensor<?x8x?x64xf32>, tensor<?xi64>) {
  %0, %n = lattn.pad_sequences ins(%packed, %cu : tensor<1x8x?x64xf32>, tensor<?xi32>)
      max_seqlen(%most) -> tensor<?x8x?x64xf32>, tensor<?xi64>
  return %0, %n : tensor<?x8x?x64xf32>, tensor<?xi64>
}

// CHECK-LABEL: func.func @pad_sequences_bnhd(
// CHECK: lattn.pad_sequences ins(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<1x9x2x8xbf16>, tensor<4xi64>) max_seqlen(%{{.+}}) {layout = #lattn.layout<bnhd>} -> tensor<3x5x2x8xbf16>, tensor<3xi64>
func.func @pad_sequences_bnhd(%packed: tensor<1x9x2x8xbf16>, %cu: tensor<4xi64>) -> tensor<3x5x2x8xbf16> {
  %most = arith.constant 5 : index
  %0, %n = lattn.pad_sequences ins(%packed, %cu : tensor<1x9x2x8xbf16>, tensor<4xi64>)
      max_seqlen(%most) {layout = #lattn.layout<bnhd>} -> tensor<3x5x2x8xbf16>, tensor<3xi64>
  return %0 : tensor<3x5x2x8xbf16>
}

// CHECK-LABEL: func.func @pack_sequences(
// CHECK: lattn.pack_sequences ins(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<?x8x?xf32>, tensor<?xi32>) outs(%{{.+}} : tensor<1x8x?xf32>)
func.func @pack_sequences(%padded: tensor<?x8x?xf32>, %cu: tensor<?xi32>, %lse: tensor<1x8x?xf32>) -> tensor<1x8x?xf32> {
  %0 = lattn.pack_sequences ins(%padded, %cu : tensor<?x8x?xf32>, tensor<?xi32>) outs(%lse : tensor<1x8x?xf32>)
  return %0 : tensor<1x8x?xf32>
}

// CHECK-LABEL: func.func @pack_sequences_bnhd(
// CHECK: lattn.pack_sequences ins(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<3x5x2x8xf16>, tensor<4xi64>) outs(%{{.+}} : tensor<1x9x2x8xf16>) {layout = #lattn.layout<bnhd>}
func.func @pack_sequences_bnhd(%padded: tensor<3x5x2x8xf16>, %cu: tensor<4xi64>, %out: tensor<1x9x2x8xf16>) -> tensor<1x9x2x8xf16> {
  %0 = lattn.pack_sequences ins(%padded, %cu : tensor<3x5x2x8xf16>, tensor<4xi64>) outs(%out : tensor<1x9x2x8xf16>)
      {layout = #lattn.layout<bnhd>}
  return %0 : tensor<1x9x2x8xf16>
}
