// REQUIRES: ptxas, slow
// RUN: lattn-compile %s --emit=cubin --chip=sm_80 -o %t.80 2>&1 | count 0
// RUN: lattn-compile %s --emit=cubin --chip=sm_90a -o %t.90a 2>&1 | count 0
// RUN: %llvm_bin/llvm-readelf -h %t.80 | FileCheck %s
// RUN: %llvm_bin/llvm-readelf -h %t.90a | FileCheck %s
// CHECK: Machine: {{.*}}NVIDIA CUDA

!t = tensor<?x?x?x64xbf16>
func.func @attend(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t)
  return %0 : !t
}
