// REQUIRES: python
// DEFINE: %{shapes} = --shape=query:900x1x3x4 --shape=key:900x1x7x4 --shape=lens:900
// DEFINE: %{print} = %python -c "import numpy, sys; [print(name, array.min(), array.max()) for name, array in numpy.load(sys.argv[1]).items()]"

// Lengths reach all keys, offsets fit, other integers lie between 0 and 3.
// REQUIRES: slow
// RUN: lattn-run %s --entry=tensors --random=1 %{shapes} --output=%t.npz \
// RUN:   --verify-loops | FileCheck %s
// RUN: %{print} %t.npz | FileCheck %s --check-prefix=RANGES
// CHECK: output agrees with lattn-to-loops: 0 of
// RANGES: lens 1 7
// RANGES: offset 0 4
// RANGES: documents 0 3
// RUN: lattn-run %s --entry=memrefs --random=1 %{shapes} --shape=output:900x1x3x4 \
// RUN:   --output=%t.memrefs.npz --verify-loops | FileCheck %s --check-prefix=MEMREFS
// RUN: %{print} %t.memrefs.npz | FileCheck %s --check-prefix=LENGTHS
// MEMREFS: output agrees with lattn-to-loops: 0 of
// LENGTHS: lens 1 7

// The seed alone decides.
// RUN: lattn-run %s --entry=tensors --random=1 %{shapes} --expect=%t.npz
// RUN: not lattn-run %s --entry=tensors --random=2 %{shapes} --expect=%t.npz | FileCheck %s --check-prefix=SEED
// SEED: lens differs

!rows = tensor<?x1x?x4xf32>
func.func @tensors(%q: !rows {lattn.name = "query"}, %k: !rows {lattn.name = "key"},
                   %lens: tensor<?xi32> {lattn.name = "lens"}, %offset: tensor<900xi64>,
                   %documents: tensor<7xi8>)
    -> (!rows {lattn.name = "output"}, tensor<?xi32> {lattn.name = "lens"},
        tensor<900xi64> {lattn.name = "offset"}, tensor<7xi8> {lattn.name = "documents"}) {
  %0 = call @attend(%q, %k, %lens, %offset, %documents)
      : (!rows, !rows, tensor<?xi32>, tensor<900xi64>, tensor<7xi8>) -> !rows
  return %0, %lens, %offset, %documents : !rows, tensor<?xi32>, tensor<900xi64>, tensor<7xi8>
}
func.func private @attend(%q: !rows, %k: !rows, %lens: tensor<?xi32>, %offset: tensor<900xi64>,
                          %documents: tensor<7xi8>) -> !rows {
  %wide = arith.extsi %lens : tensor<?xi32> to tensor<?xi64>
  %0 = lattn.attention query(%q : !rows) key(%k : !rows) value(%k : !rows)
      kv_lens(%wide : tensor<?xi64>) offset(%offset : tensor<900xi64>)
      captures(%documents : tensor<7xi8>) outs(%q : !rows) {causal} score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %ids: tensor<7xi8>):
      %query = arith.index_cast %i : i32 to index
      %key = arith.index_cast %j : i32 to index
      %own = tensor.extract %ids[%query] : tensor<7xi8>
      %other = tensor.extract %ids[%key] : tensor<7xi8>
      %same = arith.cmpi eq, %own, %other : i8
      %hidden = arith.constant 0xFF800000 : f32
      %r = arith.select %same, %s, %hidden : f32
      lattn.yield %r : f32
  }
  return %0 : !rows
}

!memory = memref<?x1x?x4xf32>
func.func @memrefs(%q: !memory {lattn.name = "query"}, %k: !memory {lattn.name = "key"},
                   %lens: memref<?xi32> {lattn.name = "lens"},
                   %o: !memory {lattn.name = "output"})
    -> (tensor<?xi32> {lattn.name = "lens"}) {
  lattn.attention query(%q : !memory) key(%k : !memory) value(%k : !memory)
      kv_lens(%lens : memref<?xi32>) outs(%o : !memory) {causal}
  %0 = bufferization.to_tensor %lens restrict : memref<?xi32> to tensor<?xi32>
  return %0 : tensor<?xi32>
}
