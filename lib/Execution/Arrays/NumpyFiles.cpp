//===- NumpyFiles.cpp - Reading and writing .npy and .npz -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/NumpyFiles.h"
#include "FileAccess.h"
#include "NpyHeader.h"
#include "NpyStream.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

#include <zip.h>

using namespace llvm;
using namespace lattn;
namespace fs = llvm::sys::fs;

/// Puts the path before an error.
static Error failedRead(StringRef path, Error error) {
  return makeNumpyError("'" + path + "': " + llvm::toString(std::move(error)));
}

static Error failedWrite(StringRef path, Error error) {
  return makeNumpyError("cannot write '" + path +
                        "': " + llvm::toString(std::move(error)));
}

//===----------------------------------------------------------------------===//
// Reading a .npy
//===----------------------------------------------------------------------===//

static Expected<NumpyArray> readNpyFile(StringRef path) {
  ByteSource source = {};
  if (Error error = checkRegularFile(path, source.size))
    return error;
  source.trusted = source.size;
  Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  llvm::scope_exit close([&] { fs::closeFile(*file); });
  auto read = [&](MutableArrayRef<char> into) {
    return fs::readNativeFile(*file, into);
  };
  source.read = read;
  return readArray(source);
}

Expected<NumpyArray> lattn::readNpy(StringRef path) {
  Expected<NumpyArray> array = readNpyFile(path);
  if (!array)
    return failedRead(path, array.takeError());
  return array;
}

//===----------------------------------------------------------------------===//
// Reading archives
//===----------------------------------------------------------------------===//

namespace {
struct ZipDiscard {
  void operator()(zip_t *archive) const { zip_discard(archive); }
};
using ZipArchive = std::unique_ptr<zip_t, ZipDiscard>;

struct ZipEntryClose {
  void operator()(zip_file_t *file) const { zip_fclose(file); }
};
using ZipEntry = std::unique_ptr<zip_file_t, ZipEntryClose>;
} // namespace

static constexpr StringRef kEntrySuffix = ".npy";

static Error makeZipError(zip_error_t *error) {
  if (zip_error_code_zip(error) == ZIP_ER_CRC)
    return makeNumpyError("damaged: expected the stored CRC, got another");
  return makeNumpyError(zip_error_strerror(error));
}

/// Of an entry: libzip's own words may be as few as "Invalid argument".
static Error makeUnpackError(zip_error_t *error) {
  if (zip_error_code_zip(error) == ZIP_ER_CRC)
    return makeZipError(error);
  return makeNumpyError(Twine("damaged, cannot be unpacked: ") +
                        zip_error_strerror(error));
}

/// Puts the entry's name before an error.
static Error inEntry(StringRef name, Error error) {
  return makeNumpyError("entry " + quoteNumpyText(name) + ": " +
                        llvm::toString(std::move(error)));
}

static Expected<ZipArchive> openArchive(StringRef path, int flags) {
  int code = 0;
  ZipArchive archive(zip_open(path.str().c_str(), flags, &code));
  if (archive)
    return archive;
  if (code == ZIP_ER_NOZIP)
    return makeNumpyError("expected a .npz file, got no zip archive");
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  llvm::scope_exit done([&] { zip_error_fini(&error); });
  return makeZipError(&error);
}

static Error checkArrayName(StringRef name, llvm::StringSet<> &seen) {
  auto isControl = [](unsigned char c) { return c < ' ' || c == 0x7f; };
  if (name.empty() || name.contains("..") ||
      name.find_first_of("/\\") != StringRef::npos ||
      llvm::any_of(name, isControl))
    return makeNumpyError("expected a plain array name, without '/', '\\', "
                          "'..' or control characters");
  if (!seen.insert(name).second)
    return makeNumpyError("expected each name once, got a duplicate");
  return Error::success();
}

/// Checks what can be checked before anything is unpacked.
static Error checkEntry(const zip_stat_t &stat, uint64_t &fileBytes,
                        uint64_t &unpackedBytes, llvm::StringSet<> &seen) {
  // Deflate cannot do better than this; 64 covers tiny entries.
  constexpr uint64_t kMaxRatio = 1032, kSlack = 64;
  StringRef name(stat.name);
  if (!name.consume_back(kEntrySuffix))
    return makeNumpyError("expected entries named *.npy only");
  if (Error error = checkArrayName(name, seen))
    return error;
  if (stat.encryption_method != ZIP_EM_NONE)
    return makeNumpyError("encrypted, expected no encryption");
  bool stored = stat.comp_method == ZIP_CM_STORE;
  if (!stored && stat.comp_method != ZIP_CM_DEFLATE)
    return makeNumpyError("compression method " + Twine(stat.comp_method) +
                          ", expected stored (0) or deflate (8)");
  if (stat.comp_size > fileBytes)
    return makeNumpyError("entries overlap or run past the end of the file: "
                          "expected at most " +
                          Twine(fileBytes) + " packed bytes, got " +
                          Twine(stat.comp_size));
  uint64_t most =
      stored ? stat.comp_size
             : llvm::SaturatingMultiplyAdd(stat.comp_size, kMaxRatio, kSlack);
  if (stat.size > most || (stored && stat.size < most))
    return makeNumpyError("declares " + Twine(stat.size) + " bytes, expected " +
                          (stored ? "" : "at most ") + Twine(most) + " from " +
                          Twine(stat.comp_size) +
                          (stored ? " stored" : " deflated"));
  if (stat.size > unpackedBytes)
    return makeNumpyError("declares " + Twine(stat.size) +
                          " bytes, expected at most " + Twine(unpackedBytes) +
                          " more in one archive");
  fileBytes -= stat.comp_size;
  unpackedBytes -= stat.size;
  return Error::success();
}

static Expected<NumpyArray> readEntry(zip_t *archive, const zip_stat_t &stat) {
  ZipEntry entry(zip_fopen_index(archive, stat.index, 0));
  if (!entry)
    return makeUnpackError(zip_get_error(archive));
  auto read = [&](MutableArrayRef<char> into) -> Expected<size_t> {
    zip_int64_t count = zip_fread(entry.get(), into.data(), into.size());
    if (count < 0)
      return makeUnpackError(zip_file_get_error(entry.get()));
    return count;
  };
  return readArray({stat.size, stat.comp_size, read});
}

static Expected<std::vector<zip_stat_t>> listEntries(zip_t *archive,
                                                     uint64_t fileBytes) {
  constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE |
                                   ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD |
                                   ZIP_STAT_ENCRYPTION_METHOD;
  std::vector<zip_stat_t> entries(zip_get_num_entries(archive, 0));
  uint64_t unpackedBytes = kMaxNumpyBytes;
  llvm::StringSet<> seen;
  for (auto [index, stat] : llvm::enumerate(entries)) {
    if (zip_stat_index(archive, index, 0, &stat) != 0)
      return makeZipError(zip_get_error(archive));
    if ((stat.valid & kNeeded) != kNeeded)
      return makeNumpyError("entry " + Twine(index) + " is incomplete");
    if (Error error = checkEntry(stat, fileBytes, unpackedBytes, seen))
      return inEntry(stat.name, std::move(error));
  }
  return entries;
}

static Expected<std::vector<NamedArray>> readArchive(StringRef path) {
  uint64_t fileBytes = 0;
  if (Error error = checkRegularFile(path, fileBytes))
    return error;
  if (fileBytes == 0)
    return makeNumpyError("expected a .npz archive, got an empty file");
  Expected<ZipArchive> archive = openArchive(path, ZIP_RDONLY);
  if (!archive)
    return archive.takeError();
  auto entries = listEntries(archive->get(), fileBytes);
  if (!entries)
    return entries.takeError();
  std::vector<NamedArray> arrays;
  for (const zip_stat_t &stat : *entries) {
    Expected<NumpyArray> array = readEntry(archive->get(), stat);
    if (!array)
      return inEntry(stat.name, array.takeError());
    StringRef name = StringRef(stat.name).drop_back(kEntrySuffix.size());
    arrays.emplace_back(name.str(), std::move(*array));
  }
  return arrays;
}

Expected<std::vector<NamedArray>> lattn::readNpz(StringRef path) {
  auto arrays = readArchive(path);
  if (!arrays)
    return failedRead(path, arrays.takeError());
  return arrays;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static Error checkArray(const NumpyArray &array) {
  Expected<int64_t> numBytes = computeNumBytes(array.kind, array.shape);
  if (!numBytes)
    return numBytes.takeError();
  if (array.buffer.size() != static_cast<uint64_t>(*numBytes))
    return makeNumpyError("expected " + Twine(*numBytes) + " bytes for shape " +
                          formatShape(array.shape) + " of " +
                          getElementName(array.kind) + ", got " +
                          Twine(array.buffer.size()));
  return Error::success();
}

Error lattn::writeNpy(StringRef path, const NumpyArray &array) {
  if (Error error = checkArray(array))
    return failedWrite(path, std::move(error));
  std::string header = formatNpyHeader(array.kind, array.shape);
  StringRef elements(array.buffer.data(), array.buffer.size());
  if (Error error = writeParts(path, {header, elements}))
    return failedWrite(path, std::move(error));
  return Error::success();
}

/// Adds an entry that refers to `header` and to the array until the archive is
/// closed.
static Error addEntry(zip_t *archive, StringRef name, std::string &header,
                      const NumpyArray &array) {
  // No compression, and the oldest date that the format has.
  constexpr zip_uint16_t kMidnight = 0, kFirstOf1980 = (1 << 5) | 1;
  auto *elements =
      reinterpret_cast<zip_uint8_t *>(const_cast<char *>(array.buffer.data()));
  zip_buffer_fragment_t fragments[] = {
      {reinterpret_cast<zip_uint8_t *>(header.data()), header.size()},
      {elements, array.buffer.size()}};
  zip_source_t *source = zip_source_buffer_fragment(
      archive, fragments, array.buffer.size() == 0 ? 1 : 2, /*freep=*/0);
  if (!source)
    return makeZipError(zip_get_error(archive));
  zip_int64_t index = zip_file_add(archive, (name + kEntrySuffix).str().c_str(),
                                   source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return makeZipError(zip_get_error(archive));
  }
  if (zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, index, kMidnight, kFirstOf1980, 0) != 0)
    return makeZipError(zip_get_error(archive));
  return Error::success();
}

static Error writeArchive(StringRef path, ArrayRef<NamedArrayRef> arrays) {
  // libzip has no empty archives: it deletes the file.
  constexpr char kEmptyArchive[22] = {'P', 'K', 5, 6};
  if (arrays.empty())
    return writeParts(path, StringRef(kEmptyArchive, sizeof(kEmptyArchive)));
  Expected<std::string> target = resolveTarget(path);
  if (!target)
    return target.takeError();
  std::vector<std::string> headers;
  for (const NamedArrayRef &entry : arrays)
    headers.push_back(formatNpyHeader(entry.second->kind, entry.second->shape));
  Expected<ZipArchive> archive =
      openArchive(*target, ZIP_CREATE | ZIP_TRUNCATE);
  if (!archive)
    return archive.takeError();
  for (auto [entry, header] : llvm::zip(arrays, headers))
    if (Error error =
            addEntry(archive->get(), entry.first, header, *entry.second))
      return inEntry(entry.first, std::move(error));
  if (zip_close(archive->get()) != 0)
    return makeZipError(zip_get_error(archive->get()));
  archive->release();
  return Error::success();
}

Error lattn::writeNpz(StringRef path, ArrayRef<NamedArrayRef> arrays) {
  llvm::StringSet<> seen;
  for (const NamedArrayRef &entry : arrays) {
    Error error = checkArrayName(entry.first, seen);
    if (!error)
      error = checkArray(*entry.second);
    if (error)
      return failedWrite(path, inEntry(entry.first, std::move(error)));
  }
  if (Error error = writeArchive(path, arrays))
    return failedWrite(path, std::move(error));
  return Error::success();
}
