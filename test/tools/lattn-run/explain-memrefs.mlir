// REQUIRES: slow
// RUN: lattn-run %s --entry=attend --random=1 --shape=query:1x2x40x8 --shape=key:1x1x50x8 \
// RUN:   --shape=value:1x1x50x8 --shape=output:1x2x40x8 --cache=off \
// RUN:   --benchmark=1 --explain | FileCheck %s
// RUN: lattn-run %s --entry=strided --random=1 --shape=0:1x40x2x8 --shape=1:1x40x2x8 \
// RUN:   --cache=off --explain | FileCheck %s --check-prefix=STRIDED

// Memrefs have a run's shapes as tensors do; other uses see the type they had.
// CHECK: arguments {{ *}}query 1x2x40x8xf32
// CHECK-NEXT: {{^ +}}key, value 1x1x50x8xf32
// CHECK-NEXT: {{^ +}}output 1x2x40x8xf32
// CHECK: reached {{ *}}{{[0-9.]+}} % of peak
// CHECK: attention 0
// CHECK: shape {{ *}}B 1, H 2 over 1, N 40, M 50, D 8, Dv 8, f32, bhnd
// CHECK: window {{ *}}#lattn.window<left = 12, right = 0>
// CHECK: useful/executed 0.{{[0-9]+}}

!rows = memref<?x?x?x8xf32>
func.func @attend(%q: !rows {lattn.name = "query"}, %k: !rows {lattn.name = "key"},
                  %v: !rows {lattn.name = "value"}, %o: !rows {lattn.name = "output"}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%o : !rows)
  lattn.attention query(%q : !rows) key(%k : !rows) value(%v : !rows) outs(%o : !rows)
      {window = #lattn.window<left = 12, right = 0>}
  return
}

// STRIDED: shape {{ *}}B 1, H 2 over 2, N 40, M 40, D 8, Dv 8, f32, bnhd
!any = memref<?x?x?x8xf32, strided<[?, ?, ?, 1], offset: ?>>
func.func @strided(%rows: !any, %o: !rows) {
  lattn.attention query(%rows : !any) key(%rows : !any) value(%rows : !any) outs(%o : !rows)
      {layout = #lattn.layout<bnhd>}
  return
}
