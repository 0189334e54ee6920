// REQUIRES: slow
// RUN: rm -rf %t && mkdir %t
// RUN: lattn-run %s --random=1 --query-tile=16 --key-tile=48 --cache=off \
// RUN:   --explain=%t/a.svg | FileCheck %s --check-prefix=TABLE
// RUN: FileCheck %s --input-file=%t/a.svg
// RUN: %python -c "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])" %t/a.svg

// The same again, byte by byte; other tiles, another picture.
// RUN: lattn-run %s --random=2 --query-tile=16 --key-tile=48 --cache=off \
// RUN:   --explain=%t/b.svg > /dev/null
// RUN: cmp %t/a.svg %t/b.svg
// RUN: lattn-run %s --random=1 --query-tile=32 --key-tile=48 --cache=off \
// RUN:   --split-kv=2 --explain=%t/c.svg > /dev/null
// RUN: not cmp -s %t/a.svg %t/c.svg
// RUN: FileCheck %s --input-file=%t/c.svg --check-prefix=SPLIT
// RUN: lattn-run %s --random=1 --target=loops --cache=off \
// RUN:   --explain=%t/d.svg > /dev/null
// RUN: FileCheck %s --input-file=%t/d.svg --check-prefix=LOOPS

// Whole or not at all.
// RUN: not lattn-run %s --random=1 --cache=off --explain=%t/none/a.svg 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOLDER
// RUN: not lattn-run %s --random=1 --cache=off --explain=%t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIRECTORY
// RUN: ls %t | count 4

// FOLDER: lattn-run: error: cannot write '{{.*}}a.svg': No such file or directory
// DIRECTORY: lattn-run: error: cannot write '{{.*}}': not a regular file

// TABLE: attention 0
// TABLE: tiles {{ *}}16 queries, 48 keys

// CHECK: <svg xmlns="http://www.w3.org/2000/svg"
// CHECK: attention 0</text>
// CHECK: query i stands at key i + 100</text>
// CHECK: B 1, H 2 over 2, N 400, M 500, D 8
// CHECK: #lattn.window&lt;left = 96, right = 0&gt;
// CHECK: executed</text>
// CHECK: bound</text>
// 25 tiles of queries, 11 of keys. A tile sees 112 keys, the first 16 and the
// last 16 of them in part: one step, then one without a mask, then the rest.
// CHECK: 50 without a mask, 100 with, 400 skipped
// CHECK-NOT: split-KV
// CHECK: a  first queries: 0 to 31
// CHECK: class="hidden left" d="M
// CHECK: class="interior" d="M
// CHECK: class="edge" d="M
// CHECK: b  in the middle
// CHECK: c  last queries: 368 to 399
// CHECK: </svg>

// SPLIT: 2 parts</text>
// SPLIT: a part of split-KV ends
// SPLIT: class="cut" d="M

// LOOPS: naive loops: every pair is computed, then masked
// LOOPS-NOT: class="interior"

!q = tensor<1x2x400x8xf32>
!k = tensor<1x2x500x8xf32>
func.func @f(%q: !q, %k: !k, %v: !k) -> !q {
  %e = tensor.empty() : !q
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%e : !q)
         {window = #lattn.window<left = 96, right = 0>}
  return %0 : !q
}
