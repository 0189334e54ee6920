// RUN: not lattn-run %s --random=1 --shape=0:2x4x41x32 2>&1 | FileCheck %s

// CHECK: 'lattn.pad_sequences' op expected axis 0 of packed to be the one batch of packed rows = 1, got 2

func.func @open(%q: tensor<?x4x?x32xf32>) -> tensor<3x4x9x32xf32> {
  %cq = arith.constant dense<[0, 8, 17, 20]> : tensor<4xi32>
  %most = arith.constant 9 : index
  %pq, %n = lattn.pad_sequences ins(%q, %cq : tensor<?x4x?x32xf32>, tensor<4xi32>) max_seqlen(%most) -> tensor<3x4x9x32xf32>, tensor<3xi64>
  return %pq : tensor<3x4x9x32xf32>
}
