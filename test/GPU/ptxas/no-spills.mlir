// REQUIRES: ptxas
// RUN: lattn-compile %s --emit=cubin --chip=sm_80 -o %t 2>&1 | count 0
// RUN: lattn-compile %s --emit=cubin --chip=sm_89 -o %t 2>&1 | count 0
// RUN: lattn-compile %s --emit=cubin --chip=sm_90 -o %t 2>&1 | count 0
// RUN: lattn-compile %s --emit=cubin --chip=sm_100 -o %t 2>&1 | count 0

// ptxas says nothing: no register is spilled, nothing is slower than it looks.

func.func @d32(%q: memref<?x?x?x32xbf16>, %k: memref<?x?x?x32xbf16>,
               %v: memref<?x?x?x32xbf16>, %o: memref<?x?x?x32xbf16>) {
  lattn.attention query(%q : memref<?x?x?x32xbf16>)
      key(%k : memref<?x?x?x32xbf16>) value(%v : memref<?x?x?x32xbf16>)
      outs(%o : memref<?x?x?x32xbf16>)
  return
}

func.func @d64(%q: memref<?x?x?x64xf16>, %k: memref<?x?x?x64xf16>,
               %v: memref<?x?x?x64xf16>, %o: memref<?x?x?x64xf16>,
               %l: memref<?x?x?xf32>) {
  lattn.attention query(%q : memref<?x?x?x64xf16>)
      key(%k : memref<?x?x?x64xf16>) value(%v : memref<?x?x?x64xf16>)
      outs(%o : memref<?x?x?x64xf16>, %l : memref<?x?x?xf32>)
  return
}

func.func @d128(%q: memref<?x?x?x128xbf16>, %k: memref<?x?x?x128xbf16>,
                %v: memref<?x?x?x128xbf16>, %o: memref<?x?x?x128xbf16>) {
  lattn.attention query(%q : memref<?x?x?x128xbf16>)
      key(%k : memref<?x?x?x128xbf16>) value(%v : memref<?x?x?x128xbf16>)
      outs(%o : memref<?x?x?x128xbf16>)
  return
}

func.func @d256(%q: memref<?x?x?x256xbf16>, %k: memref<?x?x?x256xbf16>,
                %v: memref<?x?x?x256xbf16>, %o: memref<?x?x?x256xbf16>) {
  lattn.attention query(%q : memref<?x?x?x256xbf16>)
      key(%k : memref<?x?x?x256xbf16>) value(%v : memref<?x?x?x256xbf16>)
      outs(%o : memref<?x?x?x256xbf16>)
  return
}
