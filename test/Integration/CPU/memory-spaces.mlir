// REQUIRES: slow
// Arrays in another memory space that has the same addresses.
// RUN: lattn-opt %s --lattn-to-llvm -o %t
// RUN: lattn-opt %s --lattn-to-loops -o %t
// RUN: lattn-run %s --entry=attend --random=1 --shape=q:1x4x37x16 --shape=k:1x2x45x16 --shape=o:1x4x37x16 --verify-loops
// RUN: lattn-run %s --entry=products --random=2 --verify-loops

!m = memref<1x4x?x16xf32, 1>
!k = memref<1x2x?x16xf32, 1>
func.func @attend(%q: !m {lattn.name = "q"}, %k: !k {lattn.name = "k"}, %slopes: memref<4xf32, 1>, %o: !m {lattn.name = "o"}) {
  lattn.attention query(%q : !m) key(%k : !k) value(%k : !k) captures(%slopes : memref<4xf32, 1>) outs(%o : !m)
      {window = #lattn.window<left = 20, right = 0>} score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %t: memref<4xf32, 1>):
      %head = arith.index_cast %h : i32 to index
      %slope = memref.load %t[%head] : memref<4xf32, 1>
      %x = arith.addf %s, %slope : f32
      lattn.yield %x : f32
    }
  return
}

!a = memref<40x70xf32, 1>
!b = memref<70x50xf32, 2>
!c = memref<40x50xf32>
func.func @products(%a: !a, %b: !b, %c: !c) {
  linalg.matmul ins(%a, %b : !a, !b) outs(%c : !c)
  linalg.exp ins(%a : !a) outs(%a : !a)
  return
}
