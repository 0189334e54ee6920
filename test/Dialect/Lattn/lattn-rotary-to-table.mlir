// RUN: lattn-opt %s --lattn-rotary-to-table --canonicalize --cse -split-input-file -verify-diagnostics | FileCheck %s

// Rotary that nothing fused: a table with a row for each position, computed in
// f64 and rounded once, and rotate_pairs from its first row on.

!t = tensor<1x2x?x8xbf16>

// Frequencies are f32 values: theta^(-2m/8), 0.1 among them rounded.
// CHECK-LABEL: @turn
// CHECK-SAME:  (%[[X:[^:]+]]: tensor<1x2x?x8xbf16>, %[[O:[^:]+]]:
// CHECK-DAG:   %[[FREQUENCIES:.*]] = arith.constant dense<[1.000000e+00, 0.10000000149011612, 0.0099999997764825821, 0.0010000000474974513]> : tensor<4xf64>
// CHECK-DAG:   %[[N:.*]] = tensor.dim %[[X]], %c2
// CHECK:       %[[COS:.*]] = linalg.generic {{.*}} ins(%[[FREQUENCIES]] : {{.*}} outs(%{{.*}} : tensor<?x4xf32>)
// CHECK-NEXT:    ^bb0(%[[F:.*]]: f64, %{{.*}}: f32):
// CHECK-NEXT:    %[[ROW:.*]] = linalg.index 0
// CHECK-NEXT:    %[[I:.*]] = arith.index_cast %[[ROW]]
// CHECK-NEXT:    %[[P:.*]] = arith.sitofp %[[I]] : i64 to f64
// CHECK-NEXT:    %[[ANGLE:.*]] = arith.mulf %[[P]], %[[F]]
// CHECK-NEXT:    %[[Y:.*]] = math.cos %[[ANGLE]] : f64
// CHECK-NEXT:    %[[ROUNDED:.*]] = arith.truncf %[[Y]] : f64 to f32
// CHECK-NEXT:    linalg.yield %[[ROUNDED]]
// CHECK:       %[[T0:.*]] = tensor.insert_slice %[[COS]] into %{{.*}}[0, 0, 0] [%[[N]], 1, 4]
// CHECK:       %[[SIN:.*]] = linalg.generic
// CHECK:         math.sin
// CHECK:       %[[T1:.*]] = tensor.insert_slice %[[SIN]] into %[[T0]][0, 1, 0] [%[[N]], 1, 4]
// CHECK:       %[[R:.*]] = lattn.rotate_pairs ins(%[[X]], %[[T1]] : tensor<1x2x?x8xbf16>, tensor<?x2x4xf32>) start(%c0) outs(%[[O]] : {{.*}}) {position_axis = 2 : i64}
// CHECK-NEXT:  return %[[R]]
func.func @turn(%x: !t, %o: !t) -> !t {
  %0 = lattn.rotary ins(%x : !t) outs(%o : !t) {dim = 8 : i64}
  return %0 : !t
}

// The table starts at `start`; scales z^((p - center) / base), inverse for keys:
// exp of the distance times 1/base times log z. f64 is not rounded; dim is odd.
// CHECK-LABEL: @scaled
// CHECK-SAME:  %[[START:[^:]+]]: index, %[[CENTER:[^:]+]]: index
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[MINUS:.*]] = arith.constant -2.500000e-01 : f64
// CHECK-DAG:   %[[LOGS:.*]] = arith.constant dense<[-1.2527{{[0-9]*}}, -0.2719{{[0-9]*}}]> : tensor<2xf64>
// CHECK:       linalg.generic {{.*}} ins(%{{[^ ,)]+}}, %[[LOGS]] :
// CHECK-NEXT:    ^bb0(%{{.*}}: f64, %[[LOG:.*]]: f64, %{{.*}}: f64):
// CHECK-NEXT:    %[[ROW:.*]] = linalg.index 0
// CHECK-NEXT:    %[[P:.*]] = arith.addi %[[START]], %[[ROW]]
// CHECK:         %[[Y:.*]] = math.cos
// CHECK-NEXT:    %[[D:.*]] = arith.subi %[[P]], %[[CENTER]]
// CHECK:         %[[X:.*]] = arith.mulf %{{.*}}, %[[MINUS]]
// CHECK-NEXT:    %[[POWER:.*]] = arith.mulf %[[X]], %[[LOG]]
// CHECK-NEXT:    %[[SCALE:.*]] = math.exp %[[POWER]]
// CHECK-NEXT:    %[[ENTRY:.*]] = arith.mulf %[[Y]], %[[SCALE]]
// CHECK-NEXT:    linalg.yield %[[ENTRY]] : f64
// CHECK:       lattn.rotate_pairs {{.*}}, tensor<5x2x2xf64>) start(%[[ZERO]]) {{.*}} {interleaved, position_axis = 0 : i64}
func.func @scaled(%x: tensor<5x4xf64>, %p: index, %c: index) -> tensor<5x4xf64> {
  %0 = lattn.rotary ins(%x : tensor<5x4xf64>) start(%p) center(%c)
      outs(%x : tensor<5x4xf64>)
      {dim = 3 : i64, interleaved, downscale, xpos_scale_base = 4.0 : f64, position_axis = 0 : i64}
  return %0 : tensor<5x4xf64>
}

// The way back has the table of the way there, with the sines negated.
// CHECK-LABEL: @there_and_back
// CHECK-COUNT-1: math.sin
// CHECK:       %[[TABLE:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 1, 0]
// CHECK:       %[[Y:.*]] = lattn.rotate_pairs ins(%{{.*}}, %[[TABLE]] :
// CHECK-NOT:   math.
// CHECK:       %[[BACK:.*]] = linalg.generic {{.*}} ins(%[[TABLE]] :
// CHECK:         linalg.index 1
// CHECK:         arith.negf
// CHECK:       lattn.rotate_pairs ins(%[[Y]], %[[BACK]] :
func.func @there_and_back(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = lattn.rotary ins(%x : tensor<?x4xf32>) outs(%x : tensor<?x4xf32>) {dim = 4 : i64}
  %1 = lattn.rotary ins(%0 : tensor<?x4xf32>) outs(%x : tensor<?x4xf32>) {dim = 4 : i64, transposed}
  return %1 : tensor<?x4xf32>
}

// A base of 0 makes everything NaN, as in the package.
// CHECK-LABEL: @nan
// CHECK:       arith.constant 0x7FF8000000000000 : f64
func.func @nan(%x: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %0 = lattn.rotary ins(%x : tensor<5x4xf32>) outs(%x : tensor<5x4xf32>)
      {dim = 4 : i64, xpos_scale_base = 0.0 : f64}
  return %0 : tensor<5x4xf32>
}

// -----

func.func @buffers(%x: memref<5x4xf32>) {
  // expected-error @+1 {{is on memrefs: run lattn-raise-memrefs first}}
  lattn.rotary ins(%x : memref<5x4xf32>) outs(%x : memref<5x4xf32>) {dim = 4 : i64}
  return
}
