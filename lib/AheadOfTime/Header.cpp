//===- Header.cpp - C headers of compiled functions -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"
#include "lattn/Execution/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr const char *kStart = R"(/* Written by lattn-compile. */

#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Arrays are passed by descriptors: an element lies at
 *
 *   aligned[offset + index[0] * strides[0] + index[1] * strides[1] + ...]
 *
 * Sizes and strides count elements; f16 and bf16 are uint16_t here. The caller
 * frees what a result has in `allocated`, by free(), once where several results
 * share it. Where there is no memory, or shapes are not what a function can do,
 * it ends the program with a message. */

#ifdef __cplusplus
extern "C" {
#endif

/* Of shared libraries, and of programs with all of liblattn_runtime.a; others
 * run on one thread. At most 4096; 0 returns to the default: LATTN_NUM_THREADS,
 * else the CPUs that the process may use. */
void lattn_set_num_threads(int64_t threads);
)";

static constexpr const char *kEnd = R"(
#ifdef __cplusplus
}
#endif
)";

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static StringRef getElementType(ElementKind kind) {
  switch (kind) {
  case ElementKind::Bool:
    return "bool";
  case ElementKind::I8:
    return "int8_t";
  case ElementKind::I16:
    return "int16_t";
  case ElementKind::I32:
    return "int32_t";
  case ElementKind::I64:
    return "int64_t";
  case ElementKind::U8:
    return "uint8_t";
  case ElementKind::U16:
  case ElementKind::F16:
  case ElementKind::BF16:
  case ElementKind::Void2:
    return "uint16_t";
  case ElementKind::U32:
    return "uint32_t";
  case ElementKind::U64:
    return "uint64_t";
  case ElementKind::F32:
    return "float";
  case ElementKind::F64:
    return "double";
  }
  llvm_unreachable("unknown element kind");
}

/// What a value itself is in C. Two bytes of a float go by registers of floats.
static StringRef getScalarType(ElementKind kind) {
  if (kind == ElementKind::F16)
    return "_Float16";
  if (kind == ElementKind::BF16)
    return "__bf16";
  return getElementType(kind);
}

/// "lattn_4d_f32".
static std::string getDescriptorName(const ValueInfo &info) {
  return "lattn_" + std::to_string(info.shape.size()) + "d_" +
         getElementName(info.kind).str();
}

static std::string getTypeName(const ValueInfo &info) {
  return info.isShaped ? getDescriptorName(info)
                       : getScalarType(info.kind).str();
}

/// Other headers may have the same type.
static void writeDescriptor(llvm::raw_ostream &os, const ValueInfo &info) {
  std::string name = getDescriptorName(info);
  std::string guard = StringRef(name).upper() + "_DEFINED";
  StringRef element = getElementType(info.kind);
  size_t rank = info.shape.size();
  os << "\n#ifndef " << guard << "\n#define " << guard << "\ntypedef struct "
     << name << " {\n  " << element << " *allocated;\n  " << element
     << " *aligned;\n  int64_t offset;\n";
  if (rank)
    os << "  int64_t sizes[" << rank << "];\n  int64_t strides[" << rank
       << "];\n";
  os << "} " << name << ";\n#endif\n";
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// `name`, which is any text, in a comment.
static std::string escape(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::printEscapedString(name, os);
  for (size_t at; (at = text.find("*/")) != std::string::npos;)
    text.replace(at, 2, "* /");
  return text;
}

/// One a line: names are any text, and what is declared has none.
static void describe(llvm::raw_ostream &os, llvm::ArrayRef<ValueInfo> values,
                     StringRef what) {
  for (const ValueInfo &info : values)
    os << " * " << what << " '" << escape(info.name) << "': " << info.type
       << "\n";
}

/// A struct where there are several results, as the code returns them.
static std::string writeResults(llvm::raw_ostream &os,
                                const Signature &signature) {
  if (signature.results.size() == 1)
    return getTypeName(signature.results.front());
  std::string name = signature.entry + "_results";
  os << "\ntypedef struct " << name << " {\n";
  for (auto [i, info] : llvm::enumerate(signature.results))
    os << "  " << getTypeName(info) << " result" << i << ";\n";
  os << "} " << name << ";\n";
  return name;
}

static void writeFunction(llvm::raw_ostream &os, const Signature &signature) {
  bool isVoid = signature.results.empty();
  std::string result = isVoid ? "void" : writeResults(os, signature);
  bool inFront = ResultLayout(signature).inFront;
  os << "\n/* " << signature.entry << "\n *\n";
  describe(os, signature.arguments, "argument");
  describe(os, signature.results, "result");
  os << " */\n"
     << (inFront ? "void" : result) << ' ' << kInterfacePrefix
     << signature.entry << "(\n    ";
  std::vector<std::string> parameters;
  if (inFront)
    parameters.push_back(result + " *result");
  for (auto [i, info] : llvm::enumerate(signature.arguments))
    parameters.push_back(getTypeName(info) + (info.isShaped ? " *" : " ") +
                         "arg" + std::to_string(i));
  os << (parameters.empty() ? "void" : llvm::join(parameters, ",\n    "))
     << ");\n";
}

Expected<std::string> lattn::writeHeader(llvm::ArrayRef<Signature> functions) {
  std::string text = kStart;
  llvm::raw_string_ostream os(text);
  llvm::StringSet<> written;
  for (const Signature &signature : functions) {
    if (!isIdentifier(signature.entry))
      return createStringError("function '" + signature.entry +
                               "': its name is no identifier of C");
    for (const auto *values : {&signature.results, &signature.arguments})
      for (const ValueInfo &info : *values)
        if (info.isShaped && written.insert(getDescriptorName(info)).second)
          writeDescriptor(os, info);
    writeFunction(os, signature);
  }
  os << kEnd;
  return text;
}
