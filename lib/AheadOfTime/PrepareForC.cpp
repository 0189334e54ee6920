//===- PrepareForC.cpp - Compiled code on its own -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Execution/CodeGen.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Error;

/// As the Jit's runtime, on the C library alone.
static constexpr const char *kRuntime = R"(
@failed = private constant [18 x i8] c"lattn: error: %s\0A\00"
@memory = private constant [69 x i8]
  c"lattn: error: out of memory: compiled code asked for %zu bytes more\0A\00"
@amx = private constant [59 x i8]
  c"AMX: the operating system does not let this program use it\00"

@message = internal thread_local global [512 x i8] zeroinitializer

declare i32 @snprintf(ptr, i64, ptr, ...)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare i64 @syscall(i64, ...)
declare i32 @dprintf(i32, ptr, ...)
declare void @abort() noreturn
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare i64 @llvm.umax.i64(i64, i64)

define weak void @lattn_parallel_for(ptr %body, ptr %ctx, i64 %n) {
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %run, label %done
run:
  call void %body(ptr %ctx, i64 0, i64 %n)
  br label %done
done:
  ret void
}

define weak void @lattn_fail(ptr %message) {
  call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @failed, ptr %message)
  call void @abort()
  unreachable
}

define weak ptr @lattn_describe_sizes(ptr %text, i64 %first, i64 %second) {
  %to = call ptr @llvm.threadlocal.address.p0(ptr @message)
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %to, i64 512, ptr %text,
                                          i64 %first, i64 %second)
  ret ptr %to
}

; AMX, which Linux lets a program use that asks for it: arch_prctl, XTILEDATA.
define weak void @lattn_request_tile_data() {
  %status = call i64 (i64, ...) @syscall(i64 158, i64 4131, i64 18)
  %refused = icmp ne i64 %status, 0
  br i1 %refused, label %fail, label %done
fail:
  call void @lattn_fail(ptr @amx)
  ret void
done:
  ret void
}

define weak ptr @_mlir_memref_to_llvm_aligned_alloc(i64 %least, i64 %bytes) {
  %alignment = call i64 @llvm.umax.i64(i64 %least, i64 64)
  %mask = sub i64 0, %alignment
  %some = call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %more = add i64 %some, %alignment
  %last = sub i64 %more, 1
  %padded = and i64 %last, %mask
  %pointer = call ptr @aligned_alloc(i64 %alignment, i64 %padded)
  %null = icmp eq ptr %pointer, null
  ; A negative or overflown size arrives as a huge one.
  %overflown = icmp ult i64 %padded, %some
  %none = or i1 %null, %overflown
  br i1 %none, label %fail, label %done
fail:
  call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @memory, i64 %bytes)
  call void @abort()
  unreachable
done:
  ret ptr %pointer
}

define weak ptr @_mlir_memref_to_llvm_alloc(i64 %bytes) {
  %pointer = call ptr @_mlir_memref_to_llvm_aligned_alloc(i64 1, i64 %bytes)
  ret ptr %pointer
}

define weak void @_mlir_memref_to_llvm_free(ptr %pointer) {
  call void @free(ptr %pointer)
  ret void
}

define weak void @_mlir_memref_to_llvm_aligned_free(ptr %pointer) {
  call void @free(ptr %pointer)
  ret void
}
)";

/// The functions of C's convention call the others, whose names may be those of
/// the program's own: main.
static void hideInner(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::StringRef name = function.getName();
    if (function.isDeclaration() || function.hasLocalLinkage())
      continue;
    if (!name.starts_with(kInterfacePrefix) &&
        !name.starts_with(kSizeCheckPrefix))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    else if (function.getReturnType()->isIntegerTy(1))
      function.addRetAttr(llvm::Attribute::ZExt); // a C bool
  }
  for (llvm::GlobalVariable &global : module.globals())
    if (!global.isDeclaration())
      global.setLinkage(llvm::GlobalValue::InternalLinkage);
}

Error lattn::prepareForC(llvm::Module &module) {
  hideInner(module);
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> runtime =
      llvm::parseAssemblyString(kRuntime, diagnostic, module.getContext());
  if (!runtime)
    return createStringError("lattn's own runtime: " +
                             diagnostic.getMessage().str());
  runtime->setDataLayout(module.getDataLayout());
  runtime->setTargetTriple(module.getTargetTriple());
  if (llvm::Linker::linkModules(module, std::move(runtime),
                                llvm::Linker::LinkOnlyNeeded))
    return createStringError("a function of the module has a name that lattn's "
                             "runtime has, too");
  return Error::success();
}
