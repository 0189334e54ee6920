// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm))" | FileCheck %s
// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm,convert-scf-to-cf,convert-gpu-to-nvvm,lattn-finish-kernels))" | FileCheck %s --check-prefix=FINISHED

#tiles = #llvm.loop_annotation<licm = <disable = true>>
// FINISHED: #[[LICM:.*]] = #llvm.loop_licm<disable = true>
// FINISHED: #[[TILES:.*]] = #llvm.loop_annotation<licm = #[[LICM]]>

gpu.module @kernels {
  // A persistent kernel's loops over query tiles compute what depends on the
  // thread for each, by a number that is read anew; nothing else moves.
  // CHECK-LABEL: gpu.func @persistent(
  // CHECK:         %[[OUTER:.*]] = gpu.thread_id x
  // CHECK:         %[[ROW:.*]] = arith.muli %[[OUTER]], %[[N:.*]] : index
  // CHECK:         %[[OTHER:.*]] = arith.muli %[[N]], %[[N]]
  // CHECK:         memref.store %[[ROW]]
  // CHECK:         scf.if %{{.*}} {
  // CHECK:           nvvm.setmaxregister decrease 24
  // CHECK:         } else {
  // CHECK:           nvvm.setmaxregister increase 240
  // CHECK:           scf.for
  // CHECK-NEXT:        %[[READ:.*]] = llvm.inline_asm has_side_effects {{.*}} "mov.u32 $0, %tid.x;", "=r"
  // CHECK-NEXT:        %[[THREAD:.*]] = arith.index_cast %[[READ]] : i32 to index
  // CHECK-NEXT:        %[[AGAIN:.*]] = arith.muli %[[THREAD]], %[[N]]
  // CHECK-NEXT:        memref.store %[[AGAIN]]
  // CHECK-NEXT:        memref.store %[[OTHER]]
  // CHECK:           memref.store %[[ROW]]
  // The annotation of the loop becomes its branch's own.
  // FINISHED:      llvm.br ^bb{{.*}} {loop_annotation = #[[TILES]]}
  gpu.func @persistent(%out: memref<8xindex>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %row = arith.muli %thread, %n : index
    %other = arith.muli %n, %n : index
    memref.store %row, %out[%c0] : memref<8xindex>
    fragment.warp_specialize persistent warps(8, registers = 240) {
      scf.for %i = %c0 to %n step %c1 {
        memref.store %row, %out[%c0] : memref<8xindex>
        memref.store %other, %out[%c0] : memref<8xindex>
      } {llvm.loop_annotation = #tiles}
      memref.store %row, %out[%c0] : memref<8xindex>
    } warps(4, registers = 24) {
    }
    gpu.return
  }

  // A branch of a step reads the number again, too: what it computes of it, as bounds
  // of a mask, is kept by no register between steps.
  // CHECK-LABEL: gpu.func @branch(
  // CHECK:           scf.for
  // CHECK:             scf.for
  // CHECK:               scf.if
  // CHECK-NEXT:            %[[READ:.*]] = llvm.inline_asm has_side_effects {{.*}} "mov.u32 $0, %tid.x;", "=r"
  // CHECK-NEXT:            %[[THREAD:.*]] = arith.index_cast %[[READ]] : i32 to index
  // CHECK-NEXT:            %[[AGAIN:.*]] = arith.muli %[[THREAD]], %{{.*}}
  // CHECK-NEXT:            scf.yield %[[AGAIN]]
  gpu.func @branch(%out: memref<8xindex>, %n: index, %edge: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %row = arith.muli %thread, %n : index
    fragment.warp_specialize persistent warps(8, registers = 240) {
      scf.for %i = %c0 to %n step %c1 {
        scf.for %j = %c0 to %n step %c1 {
          %bound = scf.if %edge -> index {
            scf.yield %row : index
          } else {
            scf.yield %c0 : index
          }
          memref.store %bound, %out[%c0] : memref<8xindex>
        }
      }
    } warps(4, registers = 24) {
    }
    gpu.return
  }

  // Where each query tile has a block of its own, the loops stay as they are.
  // CHECK-LABEL: gpu.func @one_tile(
  // CHECK-NOT:     inline_asm
  // CHECK:         gpu.return
  gpu.func @one_tile(%out: memref<8xindex>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    fragment.warp_specialize warps(8, registers = 240) {
      scf.for %i = %c0 to %n step %c1 {
        memref.store %thread, %out[%c0] : memref<8xindex>
      }
    } warps(4, registers = 24) {
    }
    gpu.return
  }
}
