// RUN: lattn-opt %s --lattn-tile -verify-diagnostics -o /dev/null

func.func @read(%k: tensor<?x2x64x32xf32>, %pages: tensor<2x?xi32>) -> tensor<2x2x?x32xf32> {
  // expected-warning @below {{all keys are copied from their pages: they are read by something else than a tiled attention}}
  %0 = lattn.gather_pages ins(%k, %pages : tensor<?x2x64x32xf32>, tensor<2x?xi32>) -> tensor<2x2x?x32xf32>
  return %0 : tensor<2x2x?x32xf32>
}
