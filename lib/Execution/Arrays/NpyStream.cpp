//===- NpyStream.cpp - An array from a stream of bytes --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NpyStream.h"
#include "NpyHeader.h"
#include "lattn/Execution/Pages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

Error AlignedBuffer::resize(size_t newSize) {
  size_t capacity = llvm::alignTo(std::max<size_t>(newSize, 1), kAlignment);
  auto *memory =
      static_cast<char *>(lattn::allocateAligned(kAlignment, capacity));
  if (!memory)
    return makeNumpyError("cannot allocate " + Twine(newSize) + " bytes");
  if (numBytes != 0)
    std::memcpy(memory, bytes.get(), std::min(numBytes, newSize));
  bytes.reset(memory);
  numBytes = newSize;
  return Error::success();
}

Expected<NumpyArray> NumpyArray::create(ElementKind kind,
                                        ArrayRef<int64_t> shape) {
  Expected<int64_t> numBytes = computeNumBytes(kind, shape);
  if (!numBytes)
    return numBytes.takeError();
  NumpyArray array{kind, llvm::SmallVector<int64_t>(shape), AlignedBuffer()};
  if (Error error = array.buffer.resize(*numBytes))
    return error;
  std::memset(array.buffer.data(), 0, *numBytes);
  return array;
}

int64_t NumpyArray::getNumElements() const {
  int64_t product = 1;
  for (int64_t dim : shape)
    product *= dim;
  return product;
}

//===----------------------------------------------------------------------===//
// Reading an array from a file or an entry
//===----------------------------------------------------------------------===//

static Error readExactly(const ByteSource &source, MutableArrayRef<char> into) {
  size_t done = 0;
  while (done < into.size()) {
    Expected<size_t> count = source.read(into.drop_front(done));
    if (!count)
      return count.takeError();
    if (*count == 0)
      return makeNumpyError("ends early: expected " + Twine(into.size()) +
                            " more bytes, got " + Twine(done));
    done += *count;
  }
  return Error::success();
}

/// Reads the preamble and the dict; `position` is where the elements begin.
static Expected<NpyHeader> readHeader(const ByteSource &source,
                                      uint64_t &position) {
  char magic[kNpyMagicBytes];
  StringRef text(magic, std::min<uint64_t>(source.size, sizeof(magic)));
  if (Error error = readExactly(source, {magic, text.size()}))
    return error;
  Expected<size_t> fieldBytes = parseNpyMagic(text);
  if (!fieldBytes)
    return fieldBytes.takeError();

  char field[sizeof(uint32_t)] = {};
  if (Error error = readExactly(source, {field, *fieldBytes}))
    return error;
  uint64_t length = llvm::support::endian::read32le(field);
  if (length > kMaxNpyHeaderBytes)
    return makeNumpyError("expected a header of at most " +
                          Twine(kMaxNpyHeaderBytes) + " bytes, got " +
                          Twine(length));
  position = sizeof(magic) + *fieldBytes + length;
  if (position > source.size)
    return makeNumpyError("truncated: the header ends at byte " +
                          Twine(position) + ", the data at byte " +
                          Twine(source.size));
  std::string dict(length, '\0');
  if (Error error = readExactly(source, {dict.data(), dict.size()}))
    return error;
  return parseNpyHeader(dict);
}

/// Fails unless the elements are all that follows, in an order we can use.
static Error checkLayout(const NpyHeader &header, uint64_t expectedBytes,
                         uint64_t actualBytes) {
  if (expectedBytes > kMaxNumpyBytes)
    return makeNumpyError("shape " + formatShape(header.shape) + " of " +
                          getElementName(header.kind) + " takes " +
                          Twine(expectedBytes) + " bytes, expected at most " +
                          Twine(kMaxNumpyBytes));
  if (actualBytes != expectedBytes)
    return makeNumpyError(
        Twine(actualBytes < expectedBytes ? "truncated" : "trailing bytes") +
        ": expected " + Twine(expectedBytes) + " bytes for shape " +
        formatShape(header.shape) + " of " + getElementName(header.kind) +
        ", got " + Twine(actualBytes));
  auto isLong = [](int64_t dim) { return dim > 1; };
  if (header.fortranOrder && expectedBytes != 0 &&
      llvm::count_if(header.shape, isLong) > 1)
    return makeNumpyError("shape " + formatShape(header.shape) +
                          " is in Fortran order, expected C order; convert "
                          "with np.ascontiguousarray");
  return Error::success();
}

/// Reads elements into memory that grows with what arrives: a lie about the
/// size costs no more than twice the bytes that are there.
static Error readElements(const ByteSource &source, uint64_t numBytes,
                          AlignedBuffer &buffer) {
  constexpr uint64_t kFirstBytes = uint64_t(64) << 20;
  uint64_t capacity = std::min(numBytes, std::max(kFirstBytes, source.trusted));
  uint64_t done = 0;
  do {
    if (Error error = buffer.resize(capacity))
      return error;
    if (Error error =
            readExactly(source, {buffer.data() + done, capacity - done}))
      return error;
    done = capacity;
    capacity = std::min(numBytes, 2 * capacity);
  } while (done < numBytes);

  char extra;
  Expected<size_t> count = source.read({&extra, 1});
  if (!count)
    return count.takeError();
  if (*count != 0)
    return makeNumpyError("trailing bytes: expected the data to end after " +
                          Twine(numBytes) + " bytes of elements, got more");
  return Error::success();
}

Expected<NumpyArray> lattn::readArray(const ByteSource &source) {
  uint64_t position = 0;
  Expected<NpyHeader> header = readHeader(source, position);
  if (!header)
    return header.takeError();
  Expected<int64_t> numBytes = computeNumBytes(header->kind, header->shape);
  if (!numBytes)
    return numBytes.takeError();
  if (Error error = checkLayout(*header, *numBytes, source.size - position))
    return error;
  NumpyArray array{header->kind, header->shape, AlignedBuffer()};
  if (Error error = readElements(source, *numBytes, array.buffer))
    return error;
  // NumPy takes every byte but 0 for True; an i1 in memory is 0 or 1.
  if (array.kind == ElementKind::Bool)
    for (char &byte : MutableArrayRef<char>(array.buffer.data(), *numBytes))
      byte = byte != 0;
  return array;
}
