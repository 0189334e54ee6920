// RUN: lattn-opt %s --convert-lattn-to-vector | FileCheck %s --check-prefixes=CHECK,W256
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=128" | FileCheck %s --check-prefixes=CHECK,W128
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" | FileCheck %s --check-prefixes=CHECK,W512
// RUN: not lattn-opt %s --convert-lattn-to-vector="vector-bits=8" 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not lattn-opt %s --convert-lattn-to-vector="vector-bits=96" 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not lattn-opt %s --convert-lattn-to-vector="registers=2" 2>&1 | FileCheck %s --check-prefix=FEW

// Each packed op on buffers is a call of a function of loops over vectors.

// NARROW: error: convert-lattn-to-vector: expected vector-bits to be a power of two of at least 64 and at least 4 registers, got vector-bits=8 registers=16
// ODD: error: convert-lattn-to-vector: {{.*}} got vector-bits=96 registers=16
// FEW: error: convert-lattn-to-vector: {{.*}} got vector-bits=256 registers=2

#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (v, q)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<32x16xf32>
!k = memref<48x32xf32>
!r = memref<16xf32>

// CHECK-LABEL: func.func @step
// CHECK-SAME:  (%[[Q:[^:]+]]: {{.*}}, %[[K:[^:]+]]: {{.*}}, %[[V:[^:]+]]: {{.*}}, %[[ACC:[^:]+]]: {{.*}}, %[[MAX:[^:]+]]: {{.*}}, %[[SUM:[^:]+]]: memref<16xf32>)
// CHECK-NEXT:  call @[[STEP:.*]](%[[Q]], %[[K]], %[[V]], %[[ACC]], %[[MAX]], %[[SUM]])
// CHECK-NEXT:  return
func.func @step(%q: !q, %k: !k, %v: !k, %acc: !q, %max: !r, %sum: !r) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%v : !k)
      outs(%acc, %max, %sum : !q, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0}
  return
}

// CHECK-LABEL: func.func @pack
// CHECK-NEXT:  call @[[PACK:.*]](%{{.*}}, %{{.*}})
func.func @pack(%q: memref<?x32xbf16, strided<[?, ?], offset: ?>>, %p: !q) {
  lattn.pack_query ins(%q : memref<?x32xbf16, strided<[?, ?], offset: ?>>) outs(%p : !q) {scale = 0.5}
  return
}

// CHECK-LABEL: func.func @finalize
// CHECK-NEXT:  call @[[FINALIZE:.*]](%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
func.func @finalize(%acc: !q, %max: !r, %sum: !r, %o: memref<?x32xbf16>, %l: memref<?xf32>) {
  lattn.finalize ins(%acc, %max, %sum : !q, !r, !r)
      outs(%o : memref<?x32xbf16>, %l : memref<?xf32>) {value_axis = 0}
  return
}

// The kernels are private, in vectors of the width asked for alone; queries
// widen, results are rounded, and no vector goes to the math library.
// CHECK:      func.func private @[[STEP]](%[[Q:[^:]+]]: memref<32x16xf32>, {{.*}} passthrough = ["noinline"]
// W128:       vector.load %[[Q]][{{.*}} vector<4xf32>
// W256:       vector.load %[[Q]][{{.*}} vector<8xf32>
// W512:       vector.load %[[Q]][{{.*}} vector<16xf32>
// CHECK:      vector.fma
// After the two corrections, exps of two keys and two vectors side by side.
// Where a maximum is large, it is subtracted first.
// W256-COUNT-2: arith.shli
// W256:       scf.if
// W256:       arith.subf
// W256:       } else {
// W256:       arith.subf %[[SHIFTER:[^,]+]], %{{.*}} : vector<8xf32>
// W256-NEXT:  arith.subf %[[SHIFTER]],
// W256-NEXT:  arith.subf %[[SHIFTER]],
// W256-NEXT:  arith.subf %[[SHIFTER]],
// CHECK-NOT:  math.exp
// CHECK:      func.func private @[[PACK]]
// W128:       arith.extf %{{.*}} : vector<4xbf16> to vector<4xf32>
// W256:       arith.extf %{{.*}} : vector<8xbf16> to vector<8xf32>
// W512:       arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK:      func.func private @[[FINALIZE]]
// CHECK-NOT:  math.log
// W128:       arith.truncf %{{.*}} : vector<4xf32> to vector<4xbf16>
// W256:       arith.truncf %{{.*}} : vector<8xf32> to vector<8xbf16>
// W512:       arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
