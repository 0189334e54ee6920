// RUN: lattn-opt %s --lattn-fuse-query-key --canonicalize --cse | FileCheck %s

// The table of angles of attention's blocks: where it comes from, how long it is.

!t = tensor<2x4x?x64xbf16>
!s = tensor<1x1x?x2xf32>

// CHECK-DAG: #[[AHEAD:.*]] = affine_map<()[s0] -> (0, s0 + 2)>

// A table of 1 MiB is a constant: 4,096 rows of 64 numbers. One row more, and the
// program computes it.
// CHECK-LABEL: @constant
// CHECK:       arith.constant dense<{{.*}}> : tensor<4096x2x32xf32>
// CHECK-NOT:   math.cos
// CHECK-LABEL: @computed
// CHECK-NOT:   scf.forall
// CHECK:       math.cos
// CHECK-NOT:   scf.forall
// CHECK:       math.sin
// CHECK:       %[[TABLE:.*]] = tensor.insert_slice {{.*}} into tensor<4097x2x32xf32>
// CHECK:       scf.forall
// CHECK:         lattn.rotate_pairs ins(%{{[^ ,)]+}}, %[[TABLE]] :
func.func @constant(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %zero = arith.constant 0 : i64
  %q1 = lattn.rotary ins(%q : !t) outs(%o : !t) {dim = 64 : i64}
  %k1 = lattn.rotary ins(%k : !t) outs(%o : !t) {dim = 64 : i64}
  %0 = lattn.attention query(%q1 : !t) key(%k1 : !t) value(%v : !t)
      offset(%zero : i64) outs(%o : !t) {window = #lattn.window<left = 3840, right = 0>}
  return %0 : !t
}
func.func @computed(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %zero = arith.constant 0 : i64
  %q1 = lattn.rotary ins(%q : !t) outs(%o : !t) {dim = 64 : i64}
  %k1 = lattn.rotary ins(%k : !t) outs(%o : !t) {dim = 64 : i64}
  %0 = lattn.attention query(%q1 : !t) key(%k1 : !t) value(%v : !t)
      offset(%zero : i64) outs(%o : !t) {window = #lattn.window<left = 3841, right = 0>}
  return %0 : !t
}

// Rotary puts query 0 at 5, attention at 3: queries stand 2 rows further than
// where they are among the block's keys. Buckets of 8, one back: 15 keys before a
// query, 7 after; the table ends with the last query.
// CHECK-LABEL: @ahead
// CHECK:       arith.constant dense<{{.*}}> : tensor<278x2x1xf32>
// CHECK:       affine.max #[[AHEAD]]
func.func @ahead(%q: !s, %k: !s, %v: !s, %o: !s) -> !s {
  %three = arith.constant 3 : i64
  %five = arith.constant 5 : index
  %q1 = lattn.rotary ins(%q : !s) start(%five) outs(%o : !s) {dim = 2 : i64}
  %k1 = lattn.rotary ins(%k : !s) outs(%o : !s) {dim = 2 : i64}
  %0 = lattn.attention query(%q1 : !s) key(%k1 : !s) value(%v : !s)
      offset(%three : i64) outs(%o : !s) {window = #lattn.window<bucket = 8, back = 1>}
  return %0 : !s
}
