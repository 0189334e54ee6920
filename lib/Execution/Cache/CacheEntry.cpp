//===- CacheEntry.cpp - Compiled code as bytes ----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// magic, format version, key, length of the body, checksum of all the rest,
// body. Numbers are of eight bytes, little endian; texts follow their lengths.

#include "CacheEntry.h"
#include "CacheFolder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/EndianStream.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;

static constexpr StringRef kMagic = "lattnobj";
static constexpr uint64_t kFormat = 3;
static constexpr size_t kHeadBytes = 8 + 8 + kCacheKeyDigits + 8;
static constexpr size_t kChecksumBytes = 32;

static std::string getChecksum(StringRef head, StringRef body) {
  llvm::BLAKE3 hasher;
  hasher.update(head);
  hasher.update(body);
  return llvm::toStringRef(hasher.final<kChecksumBytes>()).str();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
class Writer {
public:
  explicit Writer(llvm::raw_ostream &os)
      : writer(os, llvm::endianness::little) {}

  void write(uint64_t value) { writer.write(value); }
  void write(StringRef text) {
    write(uint64_t(text.size()));
    writer.OS << text;
  }
  template <typename Range> void writeNumbers(const Range &values) {
    write(uint64_t(values.size()));
    for (auto value : values)
      write(uint64_t(value));
  }
  void write(const std::vector<ValueInfo> &values) {
    write(uint64_t(values.size()));
    for (const auto &[name, kind, isShaped, shape, strides, type] : values) {
      write(StringRef(name));
      write(uint64_t(kind));
      write(uint64_t(isShaped));
      writeNumbers(shape);
      writeNumbers(strides);
      write(StringRef(type));
    }
  }

private:
  llvm::support::endian::Writer writer;
};
} // namespace

std::string lattn::writeCacheEntry(StringRef key, const CompiledCode &code) {
  std::string head, body;
  llvm::raw_string_ostream bodyStream(body), headStream(head);
  Writer writer(bodyStream);
  const auto &[entry, arguments, results, written] = code.signature;
  writer.write(StringRef(entry));
  writer.write(arguments);
  writer.write(results);
  writer.writeNumbers(written);
  writer.write(StringRef(code.warnings));
  writer.write(code.object->getBuffer());
  writer.write(uint64_t(code.kernels.size()));
  for (const auto &[name, bytecode] : code.kernels) {
    writer.write(StringRef(name));
    writer.write(StringRef(bytecode));
  }
  headStream << kMagic;
  Writer(headStream).write(kFormat);
  headStream << key;
  Writer(headStream).write(uint64_t(body.size()));
  return head + getChecksum(head, body) + body;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// After the first error all that is read is empty.
class Reader {
public:
  Reader(StringRef bytes)
      : data(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8), cursor(0) {}

  uint64_t readNumber() { return data.getU64(cursor); }
  StringRef readText() { return data.getBytes(cursor, readNumber()); }
  template <typename Number, typename Range> void readNumbers(Range &values) {
    for (uint64_t i = 0, n = readNumber(); i < n && cursor; ++i)
      values.push_back(static_cast<Number>(readNumber()));
  }
  void read(std::vector<ValueInfo> &values) {
    for (uint64_t i = 0, n = readNumber(); i < n && cursor; ++i) {
      ValueInfo &info = values.emplace_back();
      info.name = readText();
      info.kind = static_cast<ElementKind>(readNumber());
      info.isShaped = readNumber();
      readNumbers<int64_t>(info.shape);
      readNumbers<int64_t>(info.strides);
      info.type = readText();
    }
  }
  bool isGood() { return bool(cursor); }
  /// An error unless all was there, and nothing more.
  llvm::Error finish() {
    if (cursor && !data.eof(cursor))
      return createStringError("bytes at the end");
    return cursor.takeError();
  }

private:
  llvm::DataExtractor data;
  llvm::DataExtractor::Cursor cursor;
};
} // namespace

/// The body of an entry whose head is in order.
static Expected<StringRef> getBody(StringRef key, StringRef bytes) {
  if (!bytes.starts_with(kMagic))
    return createStringError("not an entry of the cache");
  if (bytes.size() < kHeadBytes + kChecksumBytes)
    return createStringError("cut off within the head");
  StringRef head = bytes.take_front(kHeadBytes);
  StringRef checksum = bytes.substr(kHeadBytes, kChecksumBytes);
  StringRef body = bytes.drop_front(kHeadBytes + kChecksumBytes);
  StringRef rest = head.drop_front(kMagic.size());
  uint64_t format = llvm::support::endian::read64le(rest.data());
  if (format != kFormat)
    return createStringError("expected format " + std::to_string(kFormat) +
                             ", got " + std::to_string(format));
  if (rest.substr(8, kCacheKeyDigits) != key)
    return createStringError("an entry of another program");
  uint64_t length = llvm::support::endian::read64le(rest.end() - 8);
  if (length != body.size())
    return createStringError("expected " + std::to_string(length) +
                             " bytes behind the head, got " +
                             std::to_string(body.size()));
  if (getChecksum(head, body) != checksum)
    return createStringError("its checksum is wrong");
  return body;
}

Expected<CompiledCode> lattn::readCacheEntry(StringRef key, StringRef bytes) {
  Expected<StringRef> body = getBody(key, bytes);
  if (!body)
    return body.takeError();
  CompiledCode code;
  Reader reader(*body);
  code.signature.entry = reader.readText();
  reader.read(code.signature.arguments);
  reader.read(code.signature.results);
  reader.readNumbers<unsigned>(code.signature.written);
  code.warnings = reader.readText();
  // A copy: the object's own alignment.
  code.object =
      llvm::MemoryBuffer::getMemBufferCopy(reader.readText(), "lattn");
  if (!code.object)
    return llvm::createStringError("out of memory");
  for (uint64_t i = 0, n = reader.readNumber(); i < n && reader.isGood(); ++i) {
    StringRef name = reader.readText();
    code.kernels.push_back({name.str(), reader.readText().str()});
  }
  if (llvm::Error error = reader.finish())
    return error;
  return code;
}
