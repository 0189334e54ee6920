//===- Callable.h - Compiled functions and how to call them -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_CALLABLE_H
#define LATTN_EXECUTION_CALLABLE_H

#include "lattn/Execution/Jit.h"
#include "lattn/Execution/NumpyFiles.h"
#include "lattn/Target/TileSizes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace mlir {
class MLIRContext;
class ModuleOp;
class Type;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace lattn {

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// The attribute of arguments and results that names them in files.
constexpr llvm::StringRef kNameAttribute = "lattn.name";

/// An argument or a result, as the source module declares it.
struct ValueInfo {
  std::string name; // the attribute `lattn.name`, else arg0.. or out0..
  ElementKind kind = ElementKind::F32;
  bool isShaped = false;
  llvm::SmallVector<int64_t> shape; // mlir::ShapedType::kDynamic where dynamic
  /// In elements, likewise; empty for a tensor, which may have any.
  llvm::SmallVector<int64_t> strides;
  std::string type; // in MLIR's spelling

  bool hasStaticShape() const;
  /// An error unless an array of `kind` and `actual` can be passed.
  llvm::Error check(ElementKind kind, llvm::ArrayRef<int64_t> actual) const;
  /// An error unless an array of `actual` sizes may have `actualStrides`.
  llvm::Error checkStrides(llvm::ArrayRef<int64_t> actual,
                           llvm::ArrayRef<int64_t> actualStrides) const;
};

/// The kind of element that files hold `type` in, if any.
std::optional<ElementKind> getElementKind(mlir::Type type);

struct Signature {
  std::string entry;
  std::vector<ValueInfo> arguments, results;
  /// Numbers of the memref arguments that the function may write to: what they
  /// hold after a call is a result too.
  std::vector<unsigned> written;
};

/// The function to run: `name`, or without one the only public function, or
/// `main`.
llvm::Expected<mlir::func::FuncOp> findEntry(mlir::ModuleOp module,
                                             llvm::StringRef name);

/// An error where a type has no counterpart in an array file.
llvm::Expected<Signature> getSignature(mlir::func::FuncOp function);

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

enum class Pipeline { LLVM, Loops, CUDA };

struct CompileOptions {
  Pipeline pipeline = Pipeline::LLVM;
  std::string cpu, attributes;                   // as for getTargetInfo
  std::string chip;                              // the GPU, for CUDA
  int64_t queryTile = 0, keyTile = 0, parts = 0; // 0: chosen
  std::string bf16; // products of it, as for LattnToLLVMOptions
  /// Measured tile sizes; where not set, compileText takes those that are kept
  /// in the folder of compiled code.
  std::optional<TunedTiles> tuned;
  /// Heed the pass manager's command line options (--mlir-print-ir-...), which
  /// the program must have registered; they print as code is compiled, so there
  /// is no cache then.
  bool useCommandLine = false;
  /// The folder of compiled code that compileText looks in and adds to: "" is
  /// the default one, "off" none.
  std::string cache;
  bool quiet = false; // warnings are collected, not printed
};

/// A module lowered to the LLVM dialect's level or beyond; `source` is left
/// alone. Errors hold the diagnostics' text with file and line; `warnings` is
/// as for collectErrors.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
compileToObject(mlir::ModuleOp source, const CompileOptions &options,
                std::string *warnings = nullptr);

/// Runs `action` and returns the errors that it reports to `context`, as text;
/// success without any. What else it reports is printed to stderr, unless
/// `quiet`, and appended to `warnings`.
llvm::Error collectErrors(mlir::MLIRContext &context,
                          llvm::function_ref<bool()> action,
                          std::string *warnings = nullptr, bool quiet = false);

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

class Invocation;
struct CompiledCode;

/// Where results lie in the struct that a call fills.
struct ResultLayout {
  explicit ResultLayout(const Signature &signature);

  llvm::SmallVector<unsigned> offsets; // bytes
  unsigned bytes = 0;
  /// The struct's pointer is the first of the call's, else the last.
  bool inFront = false;
};

/// A function in machine code.
class Callable {
public:
  static llvm::Expected<Callable> compile(mlir::func::FuncOp source,
                                          const CompileOptions &options,
                                          std::string *warnings = nullptr);
  /// The function `entry` (empty: as findEntry chooses) of an MLIR module's
  /// text, from the cache where it can be; errors name `bufferName`.
  static llvm::Expected<Callable> compileText(llvm::StringRef text,
                                              llvm::StringRef bufferName,
                                              llvm::StringRef entry,
                                              const CompileOptions &options);

  const Signature &getSignature() const { return signature; }
  bool isFromCache() const { return fromCache; }
  /// Calls with pointers to memref descriptors and scalars, unchecked; one to
  /// the struct of results is among them as ResultLayout says.
  void call(void **pointers) const { packed(pointers); }

private:
  friend class Invocation;
  static llvm::Expected<Callable> load(CompiledCode code);
  Signature signature;
  bool fromCache = false;
  std::unique_ptr<Jit> jit;
  PackedFunction packed = nullptr;
};

/// Calls of one function with the same arguments, which it may write to where
/// the source says so. The callable and the arrays outlive it.
class Invocation {
public:
  static llvm::Expected<Invocation>
  create(const Callable &callable, llvm::ArrayRef<NumpyArray *> arguments);
  Invocation(Invocation &&) = default;
  ~Invocation() { releaseResults(); }

  /// Replaces the results of an earlier run.
  void run();
  /// Copies of the results as dense arrays; an error where the code found one.
  llvm::Expected<std::vector<NumpyArray>> getResults() const;
  /// Bytes of the results that the code allocated.
  int64_t getResultBytes() const;
  void releaseResults();

private:
  Invocation() = default;
  const Callable *callable = nullptr;
  /// Descriptors and scalars, 8 bytes a field, by argument.
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<int64_t> resultStruct;
  llvm::SmallVector<unsigned> resultOffsets; // bytes in resultStruct
  std::vector<void *> pointers;
  bool hasResults = false;
  const char *failure = nullptr; // of the last run
};

} // namespace lattn

#endif // LATTN_EXECUTION_CALLABLE_H
