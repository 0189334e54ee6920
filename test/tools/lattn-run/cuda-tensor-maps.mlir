// Hopper's kernels by way of a stand-in for the driver: which tensor maps the
// host makes, and what it launches where there can be none.

// REQUIRES: host-x86, slow
// UNSUPPORTED: sanitizer
// DEFINE: %{env} = env LATTN_PTXAS=nothing LATTN_LIBCUDA=%fake_cuda FAKECUDA_LOG=%t.log FAKECUDA_CAPABILITY=9.0
// DEFINE: %{run} = lattn-run %s --target=cuda --random=1 --entry
// DEFINE: %{log} = FileCheck %s --input-file=%t.log --check-prefix

// Sizes, strides (bytes) and boxes begin with the innermost axis; type 6 is f16,
// swizzle 3 of 128 bytes. Queries of 40 columns take a box of 64.
// RUN: %{env} %{run}=dense --shape=0:2x6x70x40 --shape=1:2x3x90x40 --shape=2:2x3x90x96
// RUN: %{log}=DENSE
// DENSE: cuTensorMapEncodeTiled type 6 sizes 40x70x6x2 strides 80x5600x33600 box 64x[[#QUERIES:]]x1x1 swizzle 3
// DENSE: cuTensorMapEncodeTiled type 6 sizes 40x90x3x2 strides 80x7200x21600 box 64x[[#KEYS:]]x1x1 swizzle 3
// DENSE: cuTensorMapEncodeTiled type 6 sizes 96x90x3x2 strides 192x17280x51840 box 64x[[#KEYS]]x1x1 swizzle 3
// DENSE-NOT: cuTensorMapEncodeTiled
// DENSE: cuLaunchKernel dense_kernel grid
// DENSE-SAME: block [[#mul(2,QUERIES)+128]]x1x1
// DENSE-NOT: cuLaunchKernel
// DENSE: alive: ''

// Rows of 65 elements, of which 64 are read, begin at no multiples of 16 bytes.
// RUN: %{env} %{run}=part --shape=0:2x6x70x65 --shape=1:2x3x90x65 --shape=2:2x3x90x65
// RUN: %{log}=PART
// PART-NOT: cuTensorMapEncodeTiled
// PART: cuLaunchKernel part_kernel_0 grid {{.*}} block 128x1x1
// PART-NOT: cuLaunchKernel
// PART: alive: ''

// Of 72 they do.
// RUN: %{env} %{run}=part --shape=0:2x6x70x72 --shape=1:2x3x90x72 --shape=2:2x3x90x72
// RUN: %{log}=WIDE
// WIDE: cuTensorMapEncodeTiled type 6 sizes 64x70x6x2 strides 144x10080x60480 box
// WIDE-COUNT-2: cuTensorMapEncodeTiled type 6 sizes 64x90x3x2
// The output's boxes have the rows of a group of warps.
// WIDE: cuTensorMapEncodeTiled type 6 sizes 64x70x6x2 strides 128x8960x53760 box 64x64x1x1 swizzle 3
// WIDE: cuLaunchKernel part_kernel grid

// A stride of 2^40 elements is more than a map holds.
// RUN: %{env} %{run}=far --shape=0:1x6x70x64 --shape=1:1x3x90x64 --shape=2:1x3x90x64
// RUN: %{log}=FAR
// FAR-NOT: cuTensorMapEncodeTiled
// FAR: cuLaunchKernel far_kernel grid {{.*}} block 128x1x1

// Heads that are one head's memory, a stride of 0.
// RUN: %{env} %{run}=expanded --shape=0:2x6x70x64 --shape=1:2x1x90x64 --shape=2:2x1x90x64
// RUN: %{log}=EXPANDED
// EXPANDED-NOT: cuTensorMapEncodeTiled
// EXPANDED: cuLaunchKernel expanded_kernel{{.*}} grid {{.*}} block 128x1x1

// There is no map of an array without keys.
// RUN: %{env} %{run}=dense --shape=0:2x6x70x40 --shape=1:2x3x0x40 --shape=2:2x3x0x96
// RUN: %{log}=EMPTY
// EMPTY-NOT: cuTensorMapEncodeTiled
// EMPTY: cuLaunchKernel dense_kernel_0 grid

// Errors, after which nothing is alive.
// RUN: %{env} FAKECUDA_FAIL=cuTensorMapEncodeTiled#2=1 not %{run}=dense --shape=0:2x6x70x40 --shape=1:2x3x90x40 --shape=2:2x3x90x96 2>&1 | FileCheck %s --check-prefix=MAP
// RUN: %{log}=NOTHING
// MAP: lattn-run: error: {{.*}}cuTensorMapEncodeTiled: CUDA_ERROR_INVALID_VALUE
// NOTHING: alive: ''
// RUN: %{env} FAKECUDA_CAPABILITY=9.1 not %{run}=dense 2>&1 | FileCheck %s --check-prefix=LIKE
// LIKE: lattn-run: error: unknown GPU 'sm_91'

!q = tensor<?x?x?x40xf16>
!v = tensor<?x?x?x96xf16>
func.func @dense(%q: !q, %k: !q, %v: !v) -> !v {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : !q
  %h = tensor.dim %q, %c1 : !q
  %n = tensor.dim %q, %c2 : !q
  %e = tensor.empty(%b, %h, %n) : !v
  %0 = lattn.attention query(%q : !q) key(%k : !q) value(%v : !v)
      outs(%e : !v) {window = #lattn.window<left = 10, right = 0>}
  return %0 : !v
}

!a = memref<?x?x?x?xf16>
!part = memref<?x?x?x64xf16, strided<[?, ?, ?, 1]>>
!t = memref<?x?x?x64xf16>
func.func @part(%q: !a, %k: !a, %v: !a) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = memref.dim %q, %c0 : !a
  %h = memref.dim %q, %c1 : !a
  %g = memref.dim %k, %c1 : !a
  %n = memref.dim %q, %c2 : !a
  %m = memref.dim %k, %c2 : !a
  %qs = memref.subview %q[0, 0, 0, 0] [%b, %h, %n, 64] [1, 1, 1, 1] : !a to !part
  %ks = memref.subview %k[0, 0, 0, 0] [%b, %g, %m, 64] [1, 1, 1, 1] : !a to !part
  %vs = memref.subview %v[0, 0, 0, 0] [%b, %g, %m, 64] [1, 1, 1, 1] : !a to !part
  %o = memref.alloc(%b, %h, %n) : !t
  lattn.attention query(%qs : !part) key(%ks : !part) value(%vs : !part)
      outs(%o : !t)
  return %o : !t
}

func.func @expanded(%q: !t, %k: !t, %v: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %b = memref.dim %q, %c0 : !t
  %h = memref.dim %q, %c1 : !t
  %n = memref.dim %q, %c2 : !t
  %m = memref.dim %k, %c2 : !t
  %batch = arith.muli %m, %c64 : index
  %zero = arith.subi %h, %h : index
  %ks = memref.reinterpret_cast %k to offset: [0], sizes: [%b, %h, %m, 64],
      strides: [%batch, %zero, 64, 1] : !t to memref<?x?x?x64xf16, strided<[?, ?, 64, 1]>>
  %o = memref.alloc(%b, %h, %n) : !t
  lattn.attention query(%q : !t)
      key(%ks : memref<?x?x?x64xf16, strided<[?, ?, 64, 1]>>)
      value(%ks : memref<?x?x?x64xf16, strided<[?, ?, 64, 1]>>) outs(%o : !t)
  return %o : !t
}

// A batch of one, whose stride no map holds.
func.func @far(%q: !t, %k: !t, %v: !t) -> !t {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %far = arith.constant 1099511627776 : index
  %h = memref.dim %q, %c1 : !t
  %n = memref.dim %q, %c2 : !t
  %head = arith.muli %n, %c64 : index
  %qs = memref.reinterpret_cast %q to offset: [0], sizes: [%c1, %h, %n, 64],
      strides: [%far, %head, 64, 1] : !t to memref<?x?x?x64xf16, strided<[?, ?, 64, 1]>>
  %o = memref.alloc(%c1, %h, %n) : !t
  lattn.attention query(%qs : memref<?x?x?x64xf16, strided<[?, ?, 64, 1]>>)
      key(%k : !t) value(%v : !t) outs(%o : !t)
  return %o : !t
}
