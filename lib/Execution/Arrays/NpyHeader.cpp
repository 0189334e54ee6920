//===- NpyHeader.cpp - The header of a .npy file --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NpyHeader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>

using namespace llvm;
using namespace lattn;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "the elements of the files are little-endian");

Error lattn::makeNumpyError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

std::string lattn::quoteNumpyText(StringRef text) {
  constexpr size_t kMaxShown = 60;
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '\'';
  llvm::printEscapedString(text.take_front(kMaxShown), os);
  os << (text.size() > kMaxShown ? "...'" : "'");
  return result;
}

//===----------------------------------------------------------------------===//
// Element kinds and shapes
//===----------------------------------------------------------------------===//

namespace {
struct ElementInfo {
  ElementKind kind;
  StringRef name;
  StringRef descr;
  int64_t size;
};
} // namespace

// In the order of ElementKind. Of several kinds with one descr, the last is the
// one that is read.
static constexpr ElementInfo kElements[] = {
    {ElementKind::Bool, "i1", "|b1", 1},   {ElementKind::I8, "i8", "|i1", 1},
    {ElementKind::I16, "i16", "<i2", 2},   {ElementKind::I32, "i32", "<i4", 4},
    {ElementKind::I64, "i64", "<i8", 8},   {ElementKind::U8, "ui8", "|u1", 1},
    {ElementKind::U16, "ui16", "<u2", 2},  {ElementKind::U32, "ui32", "<u4", 4},
    {ElementKind::U64, "ui64", "<u8", 8},  {ElementKind::F16, "f16", "<f2", 2},
    {ElementKind::F32, "f32", "<f4", 4},   {ElementKind::F64, "f64", "<f8", 8},
    {ElementKind::BF16, "bf16", "|V2", 2}, {ElementKind::Void2, "V2", "|V2", 2},
};

static const ElementInfo &getInfo(ElementKind kind) {
  const ElementInfo &info = kElements[static_cast<size_t>(kind)];
  assert(info.kind == kind && "kElements is not in ElementKind's order");
  return info;
}

int64_t lattn::getElementSize(ElementKind kind) { return getInfo(kind).size; }

StringRef lattn::getElementName(ElementKind kind) { return getInfo(kind).name; }

std::string lattn::formatShape(ArrayRef<int64_t> shape) {
  std::string result = "(";
  llvm::raw_string_ostream os(result);
  llvm::interleaveComma(shape, os);
  os << (shape.size() == 1 ? ",)" : ")");
  return result;
}

Expected<int64_t> lattn::computeNumBytes(ElementKind kind,
                                         ArrayRef<int64_t> shape) {
  if (shape.size() > kMaxNpyRank)
    return makeNumpyError("expected at most " + Twine(kMaxNpyRank) +
                          " dimensions, got " + Twine(shape.size()));
  // Zeros do not hide an overflow: the strides of (0, 2^62, 2^62) overflow too.
  int64_t product = getElementSize(kind);
  for (auto [index, dim] : llvm::enumerate(shape)) {
    if (dim < 0)
      return makeNumpyError("dimension " + Twine(index) + " of shape " +
                            formatShape(shape) + " is negative");
    if (dim != 0 && llvm::MulOverflow(product, dim, product))
      return makeNumpyError("shape " + formatShape(shape) + " of " +
                            getElementName(kind) +
                            " needs more than 2^63 - 1 bytes");
  }
  return llvm::is_contained(shape, 0) ? 0 : product;
}

/// What a descr that is in no table is, or an empty string.
static StringRef describeUnsupported(StringRef code) {
  switch (code.empty() ? '\0' : code.front()) {
  case 'O':
    return " (Python objects)";
  case 'S':
  case 'U':
  case 'a':
    return " (strings)";
  case 'M':
  case 'm':
    return " (dates and times)";
  case 'c':
    return " (complex numbers)";
  default:
    return "";
  }
}

static Expected<ElementKind> parseDescr(StringRef descr) {
  StringRef code = descr.drop_front(descr.empty() ? 0 : 1);
  char order = descr.empty() ? '\0' : descr.front();
  const ElementInfo *found = nullptr;
  for (const ElementInfo &info : kElements)
    if (info.descr.drop_front() == code)
      found = &info;
  if (!found || !StringRef("<>|=").contains(order))
    return makeNumpyError("unsupported dtype " + quoteNumpyText(descr) +
                          describeUnsupported(code) +
                          ", expected little-endian bool, int, uint or float "
                          "of 1 to 8 bytes, or '|V2'");
  // ml_dtypes' bfloat16 is saved as '<V2'.
  if (order == '>' && found->size > 1)
    return makeNumpyError("big-endian dtype " + quoteNumpyText(descr) +
                          ", expected little-endian; convert with "
                          "a.astype(a.dtype.newbyteorder('<'))");
  if (order == '|' && found->descr.front() != '|')
    return makeNumpyError("dtype " + quoteNumpyText(descr) +
                          " has no byte order, expected '<" + code + "'");
  return found->kind;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

Expected<size_t> lattn::parseNpyMagic(StringRef bytes) {
  if (bytes.starts_with("PK"))
    return makeNumpyError("expected a .npy file, got a zip archive (.npz)");
  if (bytes.size() < kNpyMagicBytes || !bytes.starts_with("\x93NUMPY"))
    return makeNumpyError("not a .npy file: expected it to begin with " +
                          quoteNumpyText("\x93NUMPY") + " and a version, got " +
                          quoteNumpyText(bytes));
  unsigned major = static_cast<unsigned char>(bytes[6]);
  unsigned minor = static_cast<unsigned char>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0)
    return makeNumpyError("expected .npy version 1.0, 2.0 or 3.0, got " +
                          Twine(major) + "." + Twine(minor));
  return major == 1 ? sizeof(uint16_t) : sizeof(uint32_t);
}

namespace {
/// Parses exactly what NumPy writes, in any order and spacing:
/// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  Error parse(NpyHeader &header);

private:
  bool consume(StringRef token);
  Error expected(const Twine &what) const;
  Expected<StringRef> parseString();
  Error parseEntry(StringRef key, NpyHeader &header);
  Error parseDescrValue(NpyHeader &header);
  Error parseOrderValue(NpyHeader &header);
  Error parseShapeValue(NpyHeader &header);
  Error parseDimension(NpyHeader &header);

  StringRef rest;
};
} // namespace

bool HeaderParser::consume(StringRef token) {
  rest = rest.ltrim(" \t\r\n");
  return rest.consume_front(token);
}

Error HeaderParser::expected(const Twine &what) const {
  return makeNumpyError("malformed header: expected " + what + ", got " +
                        (rest.empty() ? "its end" : quoteNumpyText(rest)));
}

Expected<StringRef> HeaderParser::parseString() {
  StringRef quote = consume("'") ? "'" : consume("\"") ? "\"" : "";
  size_t end = quote.empty() ? StringRef::npos : rest.find(quote);
  if (end == StringRef::npos)
    return expected("a string");
  StringRef text = rest.take_front(end);
  if (text.contains('\\'))
    return expected("a string without escapes");
  rest = rest.drop_front(end + 1);
  return text;
}

Error HeaderParser::parseDescrValue(NpyHeader &header) {
  if (consume("[") || consume("("))
    return makeNumpyError("structured dtypes are not supported, expected a "
                          "plain one such as '<f4'");
  Expected<StringRef> descr = parseString();
  if (!descr)
    return descr.takeError();
  Expected<ElementKind> kind = parseDescr(*descr);
  if (!kind)
    return kind.takeError();
  header.kind = *kind;
  return Error::success();
}

Error HeaderParser::parseOrderValue(NpyHeader &header) {
  header.fortranOrder = consume("True");
  if (!header.fortranOrder && !consume("False"))
    return expected("True or False for 'fortran_order'");
  return Error::success();
}

Error HeaderParser::parseDimension(NpyHeader &header) {
  rest = rest.ltrim(" \t\r\n");
  bool negative = rest.consume_front("-");
  StringRef digits = rest.take_while(llvm::isDigit);
  if (digits.empty())
    return expected("a whole number in 'shape'");
  rest = rest.drop_front(digits.size());
  if (header.shape.size() == kMaxNpyRank)
    return makeNumpyError("expected at most " + Twine(kMaxNpyRank) +
                          " dimensions, got more");
  int64_t dim = 0;
  if (negative || digits.getAsInteger(10, dim))
    return makeNumpyError("expected dimension " + Twine(header.shape.size()) +
                          " between 0 and 2^63 - 1, got " +
                          (negative ? "-" : "") +
                          StringRef(quoteNumpyText(digits)).trim('\''));
  rest.consume_front("L"); // Python 2's long
  header.shape.push_back(dim);
  return Error::success();
}

Error HeaderParser::parseShapeValue(NpyHeader &header) {
  if (!consume("("))
    return expected("a tuple for 'shape'");
  bool comma = true;
  while (!consume(")")) {
    if (!comma)
      return expected("',' or ')' in 'shape'");
    if (Error error = parseDimension(header))
      return error;
    comma = consume(",");
  }
  if (header.shape.size() == 1 && !comma)
    return makeNumpyError("malformed header: 'shape' is a number in "
                          "parentheses, expected a tuple such as (3,)");
  return Error::success();
}

Error HeaderParser::parseEntry(StringRef key, NpyHeader &header) {
  if (key == "descr")
    return parseDescrValue(header);
  if (key == "fortran_order")
    return parseOrderValue(header);
  if (key == "shape")
    return parseShapeValue(header);
  return makeNumpyError("malformed header: expected the keys descr, "
                        "fortran_order and shape, got " +
                        quoteNumpyText(key));
}

Error HeaderParser::parse(NpyHeader &header) {
  if (!consume("{"))
    return expected("'{'");
  llvm::SmallVector<StringRef, 3> seen;
  bool comma = true;
  while (!consume("}")) {
    if (!comma)
      return expected("',' or '}'");
    Expected<StringRef> key = parseString();
    if (!key)
      return key.takeError();
    if (llvm::is_contained(seen, *key))
      return makeNumpyError("malformed header: the key " +
                            quoteNumpyText(*key) + " occurs twice");
    seen.push_back(*key);
    if (!consume(":"))
      return expected("':'");
    if (Error error = parseEntry(*key, header))
      return error;
    comma = consume(",");
  }
  for (StringRef key : {"descr", "fortran_order", "shape"})
    if (!llvm::is_contained(seen, key))
      return makeNumpyError("malformed header: the key '" + key +
                            "' is missing");
  if (consume(""), !rest.empty())
    return expected("nothing after '}'");
  return Error::success();
}

Expected<NpyHeader> lattn::parseNpyHeader(StringRef text) {
  NpyHeader header;
  if (Error error = HeaderParser(text).parse(header))
    return error;
  return header;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string lattn::formatNpyHeader(ElementKind kind, ArrayRef<int64_t> shape) {
  // NumPy aligns the elements to this; 64 dimensions fit version 1's length.
  constexpr size_t kAlignment = 64;
  constexpr size_t kPreambleBytes = kNpyMagicBytes + sizeof(uint16_t);
  std::string dict =
      ("{'descr': '" + getInfo(kind).descr +
       "', 'fortran_order': False, 'shape': " + formatShape(shape) + ", }")
          .str();
  size_t total = llvm::alignTo(kPreambleBytes + dict.size() + 1, kAlignment);
  dict.resize(total - kPreambleBytes - 1, ' ');
  dict += '\n';
  char length[sizeof(uint16_t)];
  llvm::support::endian::write16le(length, dict.size());
  return std::string("\x93NUMPY\x01\x00", kNpyMagicBytes) +
         std::string(length, sizeof(length)) + dict;
}
