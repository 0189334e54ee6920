//===- Header.cpp - C headers of compiled functions -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
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

/* Arrays are passed by descriptors. An element is at
 *
 *   aligned[offset + index[0] * strides[0] + index[1] * strides[1] + ...]
 *
 * Sizes and strides count elements. f16 and bf16 are uint16_t here. The caller
 * frees the memory `allocated` of a result by free(). If several results have
 * the same `allocated`, it is freed once.
 *
 * A function checks the sizes of its arguments before it computes.
 * lattn_check_sizes_NAME does only this check. It returns NULL, or a message that
 * is valid until the thread's next one. If sizes are wrong, or if there is not
 * enough memory, a function ends the program with a message. A program that links
 * the object file may define void lattn_fail(const char *message), which is then
 * called for wrong sizes. If it returns, all fields of the function's results
 * are 0. */

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the threads of all shared libraries of lattn-compile in the process, and
 * of programs that link all of liblattn_runtime.a. Other programs run on one
 * thread. At most 4096. 0 returns to the default: LATTN_NUM_THREADS; else torch's
 * number, if the process has loaded torch; else OMP_NUM_THREADS; else the number
 * of CPUs that the process may use. */
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
  // In the order of the kinds.
  static constexpr StringRef types[] = {
      "bool",    "int8_t",   "int16_t",  "int32_t",  "int64_t",
      "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint16_t",
      "float",   "double",   "uint16_t", "uint16_t"};
  static_assert(std::size(types) == size_t(ElementKind::Void2) + 1);
  return types[static_cast<unsigned>(kind)];
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

bool lattn::isIdentifier(StringRef name) {
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

/// One a line: names are any text, and those of results are not declared.
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

/// Whether a name means something else in C or C++, or here.
static bool isReserved(StringRef name) {
  static const llvm::StringSet<> words = {
      "alignas",  "alignof",   "and",      "and_eq",    "asm",      "auto",
      "bitand",   "bitor",     "bool",     "break",     "case",     "catch",
      "char",     "class",     "compl",    "concept",   "const",    "constexpr",
      "continue", "decltype",  "default",  "delete",    "do",       "double",
      "else",     "enum",      "explicit", "export",    "extern",   "false",
      "float",    "for",       "friend",   "goto",      "if",       "inline",
      "int",      "long",      "mutable",  "namespace", "new",      "noexcept",
      "not",      "not_eq",    "nullptr",  "operator",  "or",       "or_eq",
      "private",  "protected", "public",   "register",  "requires", "restrict",
      "result",   "return",    "short",    "signed",    "sizeof",   "static",
      "struct",   "switch",    "template", "this",      "throw",    "true",
      "try",      "typedef",   "typeid",   "typename",  "union",    "unsigned",
      "using",    "virtual",   "void",     "volatile",  "while",    "wchar_t",
      "xor",      "xor_eq"};
  return words.contains(name) || name.ends_with("_t") ||
         name.ends_with("_results");
}

/// What arguments are called in C: as in the module, as far as C may.
static std::vector<std::string> getNames(const Signature &signature) {
  std::vector<std::string> names;
  llvm::StringSet<> taken;
  for (auto [i, info] : llvm::enumerate(signature.arguments)) {
    StringRef given = info.name;
    bool isUsable = isIdentifier(given) && !given.starts_with("lattn_") &&
                    !given.starts_with("_");
    std::string name = isUsable ? info.name : "arg" + std::to_string(i);
    while (isReserved(name) || !taken.insert(name).second)
      name += name.back() == '_' ? "x" : "_";
    names.push_back(std::move(name));
  }
  return names;
}

/// Says whether sizes fit together, without a call.
static void writeCheck(llvm::raw_ostream &os, StringRef entry,
                       llvm::ArrayRef<std::string> parameters) {
  os << "const char *" << kSizeCheckPrefix << entry << "(\n    "
     << llvm::join(parameters, ",\n    ") << ");\n";
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
  for (auto [info, name] :
       llvm::zip_equal(signature.arguments, getNames(signature)))
    parameters.push_back((info.isShaped ? "const " : "") + getTypeName(info) +
                         (info.isShaped ? " *" : " ") + name);
  std::vector<std::string> all = parameters;
  if (inFront)
    all.insert(all.begin(), result + " *result");
  os << (all.empty() ? "void" : llvm::join(all, ",\n    ")) << ");\n";
  if (llvm::any_of(signature.arguments,
                   [](const ValueInfo &info) { return info.isShaped; }))
    writeCheck(os, signature.entry, parameters);
}

Expected<std::string> lattn::writeHeader(llvm::ArrayRef<Signature> functions) {
  std::string text = kStart;
  llvm::raw_string_ostream os(text);
  llvm::StringSet<> written;
  for (const Signature &signature : functions) {
    if (!isIdentifier(signature.entry))
      return createStringError("function '" + signature.entry +
                               "': its name is not a C identifier");
    for (const auto *values : {&signature.results, &signature.arguments})
      for (const ValueInfo &info : *values)
        if (info.isShaped && written.insert(getDescriptorName(info)).second)
          writeDescriptor(os, info);
    writeFunction(os, signature);
  }
  os << kEnd;
  return text;
}
