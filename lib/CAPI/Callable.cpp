//===- Callable.cpp - Compiling and describing ----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unwrap.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cstring>

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

LattnError lattn::makeError(Error error) {
  return error ? strdup(llvm::toString(std::move(error)).c_str()) : nullptr;
}

Expected<StringRef> lattn::toText(const char *text, size_t length) {
  if (!text)
    return makeNullError("text");
  StringRef known(text, strnlen(text, length));
  if (length <= PTRDIFF_MAX && mlir::isBytecode({known, /*BufferName=*/""}))
    return StringRef(text, length);
  if (length - known.size() > 1)
    return createStringError("expected text of " + std::to_string(length) +
                             " bytes, got one that ends with a zero after " +
                             std::to_string(known.size()));
  return known;
}

Expected<std::unique_ptr<llvm::MemoryBuffer>>
lattn::readFile(const char *path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return createStringError("cannot read '" + toRef(path) +
                             "': " + file.getError().message());
  return std::move(*file);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static std::vector<llvm::SmallVector<int64_t>>
getSizes(const std::vector<ValueInfo> &values) {
  std::vector<llvm::SmallVector<int64_t>> sizes;
  for (const ValueInfo &info : values) {
    sizes.push_back(info.shape);
    for (int64_t &size : sizes.back())
      if (mlir::ShapedType::isDynamic(size))
        size = -1;
  }
  return sizes;
}

LattnCallable::LattnCallable(Program compiled)
    : program(std::move(compiled)),
      argumentSizes(getSizes(program.getSignature().arguments)),
      resultSizes(getSizes(program.getSignature().results)) {}

Expected<CompileOptions> lattn::unwrap(const LattnCompileOptions *given) {
  CompileOptions options;
  if (!given)
    return options;
  options.cpu = toRef(given->cpu);
  options.attributes = toRef(given->attributes);
  options.cache = toRef(given->cache);
  options.raise = given->raise;
  options.quiet = given->quiet;
  StringRef pipeline = toRef(given->pipeline);
  if (pipeline == "loops")
    options.pipeline = Pipeline::Loops;
  else if (!pipeline.empty() && pipeline != "llvm")
    return createStringError("pipeline: expected 'llvm' or 'loops', got '" +
                             pipeline + "'");
  return options;
}

static Error create(StringRef text, StringRef bufferName, const char *entry,
                    const LattnCompileOptions *given,
                    LattnCallable **callable) {
  if (!callable)
    return makeNullError("a place for the callable");
  Expected<CompileOptions> options = unwrap(given);
  if (!options)
    return options.takeError();
  Expected<Program> compiled =
      Program::compileText(text, bufferName, toRef(entry), *options);
  if (!compiled)
    return compiled.takeError();
  *callable = new LattnCallable(std::move(*compiled));
  return Error::success();
}

LattnError lattnCallableCreate(const char *text, size_t length,
                               const char *bufferName, const char *entry,
                               const LattnCompileOptions *options,
                               LattnCallable **callable) {
  Expected<StringRef> whole = toText(text, length);
  if (!whole)
    return makeError(whole.takeError());
  return makeError(create(*whole, toRef(bufferName), entry, options, callable));
}

LattnError lattnCallableCreateFromFile(const char *path, const char *entry,
                                       const LattnCompileOptions *options,
                                       LattnCallable **callable) {
  if (!path)
    return makeError(makeNullError("a path"));
  Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readFile(path);
  if (!file)
    return makeError(file.takeError());
  return makeError(
      create((*file)->getBuffer(), path, entry, options, callable));
}

void lattnCallableDestroy(LattnCallable *callable) { delete callable; }

//===----------------------------------------------------------------------===//
// Describing
//===----------------------------------------------------------------------===//

static bool isKnown(LattnElementType type) {
  int number = lattn::getNumber(type);
  return number >= LattnBool && number <= LattnBF16;
}

int64_t lattnElementTypeGetSize(LattnElementType type) {
  return isKnown(type) ? getElementSize(unwrap(type)) : 0;
}

const char *lattnElementTypeGetName(LattnElementType type) {
  return isKnown(type) ? getElementName(unwrap(type)).data() : ""; // literals
}

const char *lattnCallableGetEntry(const LattnCallable *callable) {
  return callable ? callable->program.getSignature().entry.c_str() : "";
}

intptr_t lattnCallableGetNumArguments(const LattnCallable *callable) {
  return callable ? callable->program.getSignature().arguments.size() : 0;
}

intptr_t lattnCallableGetNumResults(const LattnCallable *callable) {
  return callable ? callable->program.getSignature().results.size() : 0;
}

static LattnValueInfo wrap(const ValueInfo &info,
                           const llvm::SmallVector<int64_t> &sizes) {
  LattnValueInfo wrapped = {};
  wrapped.name = info.name.c_str();
  wrapped.spelling = info.type.c_str();
  wrapped.type = lattn::wrap(info.kind);
  wrapped.isArray = info.isShaped;
  wrapped.rank = sizes.size();
  wrapped.sizes = sizes.data();
  return wrapped;
}

/// Where there is no such value.
static LattnValueInfo getNoValue() {
  LattnValueInfo info = {};
  info.name = info.spelling = "";
  return info;
}

LattnValueInfo lattnCallableGetArgument(const LattnCallable *callable,
                                        intptr_t i) {
  if (i < 0 || i >= lattnCallableGetNumArguments(callable))
    return getNoValue();
  const Signature &signature = callable->program.getSignature();
  LattnValueInfo info =
      wrap(signature.arguments[i], callable->argumentSizes[i]);
  info.isWritten = llvm::is_contained(signature.written, unsigned(i));
  return info;
}

LattnValueInfo lattnCallableGetResult(const LattnCallable *callable,
                                      intptr_t i) {
  if (i < 0 || i >= lattnCallableGetNumResults(callable))
    return getNoValue();
  return wrap(callable->program.getSignature().results[i],
              callable->resultSizes[i]);
}
