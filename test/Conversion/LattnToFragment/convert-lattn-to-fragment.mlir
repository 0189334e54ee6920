// RUN: lattn-opt %s --lattn-tile="gpu query-tile=64 key-tile=32" --convert-lattn-to-fragment --canonicalize | FileCheck %s

!t = tensor<1x2x?x64xbf16>

// Steps at edges are masked by bounds of each row; hidden values are skipped in a second pass, where the first found a NaN.
// CHECK-LABEL: func.func @window(
// CHECK:       scf.forall {{.*}} shared_outs
// CHECK:         %[[Q:.*]] = fragment.load %{{.*}} : tensor<?x64xbf16> -> <64x64xbf16, #fragment.mma<operand, warps = 4>>
// CHECK:         %[[STATE:.*]]:3 = lattn.sweep_keys (%{{.*}}, %{{.*}}, %[[EDGE:.*]]) in (%{{.*}} edge %{{.*}} interior %{{.*}} edge %{{.*}}) by 32 {{.*}} -> (!fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>, !fragment.tile<64xf32, #fragment.mma<row, warps = 4>>, !fragment.tile<64x8xf32, #fragment.mma<accumulator, warps = 4>>)
// CHECK:           %[[S:.*]] = fragment.multiply %[[Q]], {{.*}} {transposed} : {{.*}} tensor<?x64xbf16> -> <64x32xf32
// CHECK-NOT:       fragment.map
// CHECK:           %[[X:.*]] = scf.if %[[EDGE]]
// CHECK:             %[[LOWER:.*]] = fragment.map -> <64xi32, #fragment.mma<row, warps = 4>>
// CHECK:             %[[UPPER:.*]] = fragment.map -> <64xi32, #fragment.mma<row, warps = 4>>
// CHECK:             %[[HIDDEN:.*]] = fragment.map ins(%[[S]], %[[LOWER]], %[[UPPER]]
// CHECK:               arith.select
// CHECK:             scf.yield %[[HIDDEN]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[S]]
// CHECK:           %[[ROWMAX:.*]] = fragment.reduce max %[[X]]
// CHECK:           %[[MAX:.*]] = fragment.map ins(%{{.*}}, %[[ROWMAX]]
// CHECK:             %[[E:.*]] = arith.mulf %{{.*}}, %[[FACTOR:.*]] : f32
// CHECK-NEXT:        arith.maxnumf %{{.*}}, %[[E]]
// CHECK:           %[[P:.*]] = fragment.map ins(%[[X]], %[[MAX]]
// CHECK:             math.fma %{{.*}}, %[[FACTOR]], %{{.*}}
// CHECK:             math.exp2 %{{.*}} fastmath<afn>
// CHECK:           fragment.map
// CHECK:             arith.subf
// CHECK:             math.exp2
// CHECK:           fragment.fold %[[P]] : {{.*}} -> <64x8xf32
// CHECK:           %[[W:.*]] = fragment.narrow %[[P]]
// CHECK:           fragment.multiply %[[W]], {{.*}} : {{.*}} tensor<?x64xbf16> -> <64x64xf32
// CHECK:           lattn.yield
// Rows whose exponents are too large count as NaN, and for NaN all keys come again, in one run. Then the scale comes first, and the maximum before the exponent.
// CHECK:         %[[SUM:.*]] = fragment.reduce add %[[STATE]]#2
// CHECK:         %[[MARK:.*]] = fragment.map ins(%[[STATE]]#1, %[[SUM]]
// CHECK:           math.absf
// CHECK:           arith.select
// CHECK:         %[[SPOILED:.*]] = fragment.map ins(%[[STATE]]#0, %[[MARK]]
// CHECK-NEXT:      ^bb0
// CHECK-NEXT:      arith.addf
// CHECK:         fragment.repeat_if_nan %[[SPOILED]], %[[STATE]]#1, %[[SUM]], %{{.*}}
// CHECK:           %[[AGAIN:.*]]:3 = lattn.sweep_keys {{.*}} in (%{{[^ ]*}} edge %{{[^ ]*}}) by 16
// CHECK:             arith.mulf
// CHECK:             fragment.reduce max
// CHECK:             %[[D:.*]] = arith.subf
// CHECK-NEXT:        arith.mulf %[[D]],
// CHECK-NEXT:        math.exp2
// CHECK:             fragment.multiply {{.*}} {skip_zeros}
// CHECK:           %[[SUM:.*]] = fragment.reduce add %[[AGAIN]]#2
// CHECK:           fragment.yield %[[AGAIN]]#0, %[[AGAIN]]#1, %[[SUM]], %{{.*}}
// CHECK:         fragment.store
// CHECK-NOT:   lattn.
func.func @window(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t) {window = #lattn.window<left = 100, right = 3>}
  return %0 : !t
}

// Every key is visible: only the last tile may lack some, and no value is skipped. LSE is natural.
// CHECK-LABEL: func.func @full(
// CHECK-NOT:     xi32
// CHECK:         scf.if
// CHECK-NOT:     xi32
// CHECK:         fragment.map ins(%{{.*}}) -> <64x32xf32
// CHECK:           arith.cmpi slt
// CHECK:         fragment.repeat_if_nan
// CHECK-NOT:     skip_zeros
// CHECK:         fragment.map
// CHECK:           arith.divf
// CHECK:         fragment.store {{.*}} tensor<?x64xbf16>
// CHECK:         fragment.map
// CHECK:           math.log2 %{{.*}} fastmath<afn>
// CHECK:         fragment.store {{.*}} tensor<?xf32>
func.func @full(%q: !t, %k: !t, %v: !t, %o: !t, %l: tensor<1x2x?xf32>) -> (!t, tensor<1x2x?xf32>) {
  %0:2 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t, %l : tensor<1x2x?xf32>)
  return %0#0, %0#1 : !t, tensor<1x2x?xf32>
}

// A bias whose elements lie side by side is an operand of the step, which copies stage; one multiply-add applies it and the scale.
// CHECK-LABEL: func.func @bias_tile(
// CHECK-SAME:    %[[BIAS:[^ :]*]]: tensor<2x?x?xbf16>
// CHECK:         lattn.sweep_keys
// CHECK:           %[[S:.*]] = fragment.multiply {{.*}} {transposed}
// CHECK:           %[[PAIRS:.*]] = tensor.extract_slice %[[BIAS]][%{{.*}}, %{{.*}}, %{{.*}}] [1, %{{.*}}, %{{.*}}] [1, 1, 1] : tensor<2x?x?xbf16> to tensor<?x?xbf16>
// CHECK:           %[[TILE:.*]] = fragment.load %[[PAIRS]] : tensor<?x?xbf16> -> <64x32xbf16, #fragment.mma<operand, warps = 4>>
// CHECK:           %[[WIDE:.*]] = fragment.widen %[[TILE]]
// CHECK:           fragment.map ins(%[[S]], %[[WIDE]]
// CHECK-NEXT:      ^bb0(%{{.*}}: index, %{{.*}}: index, %[[X:.*]]: f32, %[[B:.*]]: f32)
// CHECK-NEXT:        math.fma %[[X]], %{{.*}}, %[[B]]
// CHECK:           lattn.yield
func.func @bias_tile(%q: !t, %k: !t, %v: !t, %b: tensor<2x?x?xbf16>, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) bias(%b : tensor<2x?x?xbf16>) outs(%o : !t)
  return %0 : !t
}

// Other biases are read one by one.
// CHECK-LABEL: func.func @bias_elements(
// CHECK-NOT:     fragment.widen
// CHECK:         tensor.extract %{{.*}} : tensor<2x1x?xbf16>
func.func @bias_elements(%q: !t, %k: !t, %v: !t, %b: tensor<2x1x?xbf16>, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) bias(%b : tensor<2x1x?xbf16>) outs(%o : !t)
  return %0 : !t
}

// A key mask hides keys in all steps: its flags are loaded beside the product, and bounds are compared at edges alone.
// CHECK-LABEL: func.func @key_mask(
// CHECK-SAME:    %[[MASK:[^ :]*]]: tensor<1x?xi1>
// CHECK:         lattn.sweep_keys (%{{.*}}, %{{.*}}, %[[EDGE:.*]]) in (%{{.*}} edge %{{.*}} interior %{{.*}} edge %{{.*}}) by 32
// CHECK:           %[[S:.*]] = fragment.multiply {{.*}} {transposed}
// CHECK:           %[[KEYS:.*]] = tensor.extract_slice %[[MASK]][{{.*}}] [1, %{{.*}}] [1, 1] : tensor<1x?xi1> to tensor<?xi1>
// CHECK:           %[[FLAGS:.*]] = fragment.load_flags %[[KEYS]] : tensor<?xi1> -> <32xi1, #fragment.mma<column, warps = 4>>
// CHECK:           scf.if %[[EDGE]]
// CHECK:             fragment.map ins(%[[S]], %[[LOWER:.*]], %[[UPPER:.*]], %[[FLAGS]]
// CHECK:           } else {
// CHECK-NEXT:        fragment.map ins(%[[S]], %[[FLAGS]]
// CHECK-NEXT:        ^bb0(%{{.*}}: index, %{{.*}}: index, %[[X:.*]]: f32, %[[F:.*]]: i1)
// CHECK-NEXT:        arith.select %[[F]], %[[X]]
// CHECK:           lattn.yield
func.func @key_mask(%q: !t, %k: !t, %v: !t, %m: tensor<1x?xi1>, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) key_mask(%m : tensor<1x?xi1>)
      outs(%o : !t) {window = #lattn.window<left = 100, right = 3>}
  return %0 : !t
}

// Tensor maps copy whole tiles: beyond the length lie values that no query sees. Other copies end there.
// CHECK-LABEL: func.func @lengths_by_tensor_maps(
// CHECK:         %[[FITS:.*]] = fragment.reachable
// CHECK:         scf.if %[[FITS]]
// CHECK:           fragment.repeat_if_nan
// CHECK:             fragment.multiply {{.*}} {skip_zeros}
// CHECK:           fragment.store
// CHECK:         } else {
// CHECK-NOT:       skip_zeros
// CHECK:           fragment.store
func.func @lengths_by_tensor_maps(%q: !t, %k: !t, %v: !t, %o: !t, %n: tensor<1xi32>) -> !t {
  %fits = fragment.reachable
  %0 = scf.if %fits -> !t {
    %1 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
        kv_lens(%n : tensor<1xi32>) outs(%o : !t)
    scf.yield %1 : !t
  } else {
    %1 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
        kv_lens(%n : tensor<1xi32>) outs(%o : !t)
    scf.yield %1 : !t
  }
  return %0 : !t
}

// Behind the last key they fill with zeros.
// CHECK-LABEL: func.func @all_keys_by_tensor_maps(
// CHECK-NOT:     skip_zeros
// CHECK:         fragment.store
func.func @all_keys_by_tensor_maps(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %fits = fragment.reachable
  %0 = scf.if %fits -> !t {
    %1 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
    scf.yield %1 : !t
  } else {
    scf.yield %o : !t
  }
  return %0 : !t
}
