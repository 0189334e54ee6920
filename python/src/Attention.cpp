//===- Attention.cpp - lattn.attention ------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The way from Python's arguments to the kernel's: all that a call costs beside
// the kernel is here and in what this calls.

#include "Attention.h"
#include "GPU.h"
#include "Interrupt.h"
#include "Module.h"
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

using namespace lattn::python;

namespace {

/// One call: reads and checks its arguments, then runs.
class Attention {
public:
  Attention(nb::handle q, nb::handle k, nb::handle v, nb::handle layout,
            nb::handle pages, nb::handle queryBorders, nb::handle keyBorders);

  void setWindow(nb::handle window, nb::handle causal);
  void setNumbers(nb::handle scale, nb::handle softcap);
  void setBias(nb::handle bias);
  void setMasks(nb::handle keyMask, nb::handle attnMask);
  void setPositions(nb::handle kvLengths, nb::handle offset);
  void setSink(nb::handle sink);
  void setDropout(nb::handle p, nb::handle seed);
  void setScore(nb::handle mods);
  void setOutput(nb::handle out, bool withLse);
  /// Output, lse, their gradients, where to write those of q, k, v, sink, bias
  /// and attn_mask, None for what has none; and a tuple of the same for the
  /// arrays that the program reads.
  void setGradients(nb::tuple arrays);
  /// The output, or (output, lse); None for gradients.
  nb::object run();

private:
  /// Batches and positions of arrays: of packed sequences, 1 and all rows.
  struct Rows {
    int64_t batches, positions;
  };
  /// Sizes in the order of the layout.
  std::array<int64_t, 4> getSizes(Rows rows, int64_t heads, int64_t size) const;
  void readSequencesOf(nb::handle queries, nb::handle keys);
  void readKeysInBatches();
  void readSizes();
  void keepSequences(int64_t begin, int64_t count);
  void unpackQueries();
  void runSingleQueries();
  void runKernel();
  /// Reads an array that is where q is.
  void readOperand(nb::handle object, const char *name, ArrayView &view);
  void setCaptureGradients(nb::tuple arrays);
  void addCaptureGradient(nb::handle object, const ArrayView &array);
  void expectOperand(const ArrayView &view, const char *bhnd, const char *bnhd,
                     Rows rows, int64_t heads, int64_t size);

  KernelKey key;
  Extents extents;
  Rows queryRows, keyRows;
  Sequences querySequences, keySequences;
  ArrayView q, k, v, pages, bias, keyMask, sink, mask, output, lse;
  ArrayView gradients[7]; // of output, lse, q, k, v, sink, bias
  std::vector<ArrayView> captureGradients;
  std::vector<nb::object> scratch; // gradients that nobody asked for
  BatchNumbers lengths, offsets;
  ScoreArrays captured;
  Dropout dropout;
  nb::object outputObject, lseObject;

  std::vector<LattnArray> getArguments();
  void mergeHeads();
  LattnError launch();
};

} // namespace

//===----------------------------------------------------------------------===//
// Query, key, value
//===----------------------------------------------------------------------===//

static bool isBnhd(nb::handle layout) {
  if (PyUnicode_Check(layout.ptr())) {
    if (PyUnicode_CompareWithASCIIString(layout.ptr(), "bhnd") == 0)
      return false;
    if (PyUnicode_CompareWithASCIIString(layout.ptr(), "bnhd") == 0)
      return true;
  }
  throwValueError("layout: expected 'bhnd' or 'bnhd', got " + toRepr(layout));
}

std::array<int64_t, 4> Attention::getSizes(Rows rows, int64_t heads,
                                           int64_t size) const {
  if (key.isBnhd)
    return {rows.batches, rows.positions, heads, size};
  return {rows.batches, heads, rows.positions, size};
}

void Attention::expectOperand(const ArrayView &view, const char *bhnd,
                              const char *bnhd, Rows rows, int64_t heads,
                              int64_t size) {
  expectType(view, q.type, q.type);
  std::array<int64_t, 4> sizes = getSizes(rows, heads, size);
  expectShape(view, key.isBnhd ? bnhd : bhnd,
              {sizes[0], sizes[1], sizes[2], sizes[3]});
}

static void expectPlace(const ArrayView &view, const ArrayView &q) {
  if (view.device != q.device)
    throwValueError(std::string(view.name) + ": expected an array " +
                    describePlace(q) + ", as q, got one " +
                    describePlace(view));
}

void Attention::readOperand(nb::handle object, const char *name,
                            ArrayView &view) {
  readAnywhere(object, name, view);
  expectPlace(view, q);
}

Attention::Attention(nb::handle query, nb::handle keys, nb::handle values,
                     nb::handle layout, nb::handle table,
                     nb::handle queryBorders, nb::handle keyBorders) {
  key.isBnhd = isBnhd(layout);
  readAnywhere(query, "q", q);
  key.device = q.device;
  if (q.type < LattnF16)
    throwTypeError(std::string("q: expected elements of float16, bfloat16, "
                               "float32 or float64, got ") +
                   getTypeName(q.type));
  readOperand(keys, "k", k);
  readOperand(values, "v", v);
  if (!table.is_none())
    readOperand(table, "pages", pages);
  bool isPacked = !queryBorders.is_none();
  if (isPacked)
    expectShape(q, key.isBnhd ? "1, T, H, D" : "1, H, T, D",
                {1, kAny, kAny, kAny});
  else
    expectShape(q, key.isBnhd ? "B, N, H, D" : "B, H, N, D",
                {kAny, kAny, kAny, kAny});
  queryRows = {q.sizes[0], q.sizes[key.isBnhd ? 1 : 2]};
  extents.b = queryRows.batches;
  extents.h = q.sizes[key.isBnhd ? 2 : 1];
  extents.n = queryRows.positions;
  extents.d = q.sizes[3];
  readSequencesOf(queryBorders, keyBorders);
  if (pages.isGiven())
    readPages(pages, q, k, v, key, extents);
  else
    readKeysInBatches();
  readSizes();
}

void Attention::readKeysInBatches() {
  int heads = key.isBnhd ? 2 : 1, positions = key.isBnhd ? 1 : 2;
  if (keySequences.isGiven()) {
    keyRows = {1, k.sizes[positions]};
    expectOperand(k, "1, Hkv, T, D", "1, T, Hkv, D", keyRows, kAny, extents.d);
  } else {
    expectOperand(k, "B, Hkv, M, D", "B, M, Hkv, D", {extents.b, kAny}, kAny,
                  extents.d);
    keyRows = {extents.b, extents.m = k.sizes[positions]};
  }
  extents.hkv = k.sizes[heads];
  expectOperand(v, keySequences.isGiven() ? "1, Hkv, T, Dv" : "B, Hkv, M, Dv",
                keySequences.isGiven() ? "1, T, Hkv, Dv" : "B, M, Hkv, Dv",
                keyRows, extents.hkv, kAny);
}

void Attention::readSequencesOf(nb::handle queries, nb::handle keys) {
  if (queries.is_none() && keys.is_none())
    return;
  if (q.isOnGPU())
    throwNotImplemented("cu_seqlens_q, cu_seqlens_k: packed sequences are not "
                        "built for GPUs yet");
  if (!queries.is_none()) {
    querySequences = readSequences(queries, "cu_seqlens_q", extents.n);
    extents.b = querySequences.count;
    extents.n = querySequences.longest;
    key.queryBordersType = querySequences.getType();
  }
  if (keys.is_none())
    return;
  if (pages.isGiven())
    throwValueError("cu_seqlens_k: expected none with pages, whose kv_lengths "
                    "say how long sequences are");
  if (k.rank != 4)
    expectShape(k, "1, Hkv, T, D", {1, kAny, kAny, kAny});
  keySequences =
      readSequences(keys, "cu_seqlens_k", k.sizes[key.isBnhd ? 1 : 2]);
  if (keySequences.count != extents.b)
    throwValueError("cu_seqlens_k: expected " + std::to_string(extents.b) +
                    " sequences, as many as q has, got " +
                    std::to_string(keySequences.count));
  extents.m = keySequences.longest;
  key.keyBordersType = keySequences.getType();
}

void Attention::readSizes() {
  extents.dv = v.sizes[3];
  if (extents.d == 0 || extents.dv == 0)
    throwValueError(std::string(extents.d == 0 ? "q" : "v") +
                    ": expected heads of a size of at least 1, got 0");
  if (extents.hkv == 0 ? extents.h != 0 : extents.h % extents.hkv != 0)
    throwValueError("k: expected a number of heads that divides q's " +
                    std::to_string(extents.h) + ", got " +
                    std::to_string(extents.hkv));
  if (std::max(extents.n, extents.m) > std::numeric_limits<int32_t>::max())
    throwValueError("q, k: expected less than 2**31 positions");
  key.type = q.type;
  key.headSize = extents.d;
  key.valueSize = extents.dv;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static bool isTrue(nb::handle object, const char *name) {
  int truth = PyObject_IsTrue(object.ptr());
  if (truth >= 0)
    return truth;
  dropException();
  throwTypeError(std::string(name) + ": expected True or False, got " +
                 getKind(object));
}

void Attention::setWindow(nb::handle window, nb::handle causal) {
  readWindow(window, key);
  key.isCausal = isTrue(causal, "causal");
}

void Attention::setNumbers(nb::handle scale, nb::handle softcap) {
  key.hasScale = !scale.is_none();
  if (key.hasScale)
    key.scale =
        readNumber(scale, "scale", -std::numeric_limits<double>::infinity());
  key.softcap = readNumber(softcap, "softcap", 0);
}

void Attention::setBias(nb::handle object) {
  if (object.is_none())
    return;
  readOperand(object, "bias", bias);
  expectType(bias, q.type, getAccumulator(q.type));
  key.biasIsShared = broadcastScores(bias, extents);
  key.biasType = bias.type;
}

void Attention::setMasks(nb::handle keys, nb::handle pairs) {
  if (!keys.is_none()) {
    readOperand(keys, "key_mask", keyMask);
    expectType(keyMask, LattnBool, LattnBool);
    expectShape(keyMask, "B, M", {extents.b, extents.m});
    key.hasKeyMask = true;
  }
  if (!pairs.is_none()) {
    readOperand(pairs, "attn_mask", mask);
    if (mask.type != LattnBool && mask.type != q.type &&
        mask.type != getAccumulator(q.type))
      throwTypeError(std::string("attn_mask: expected elements of bool, ") +
                     getTypeName(q.type) + " or " +
                     getTypeName(getAccumulator(q.type)) + ", got " +
                     getTypeName(mask.type));
    Shared shared = broadcastScores(mask, extents);
    // A bias is added to scores as a mask of numbers is, and the faster of
    // both.
    if (mask.type != LattnBool && !bias.isGiven() && !q.isOnGPU()) {
      bias = std::exchange(mask, ArrayView());
      key.biasIsShared = shared;
      key.biasType = bias.type;
      return;
    }
    // Booleans are bytes, which vectors load.
    if (mask.type == LattnBool && !q.isOnGPU())
      mask.type = LattnI8;
    key.maskIsShared = shared;
    key.maskType = mask.type;
  }
}

void Attention::setPositions(nb::handle kvLengths, nb::handle offset) {
  if (keySequences.isGiven() && !kvLengths.is_none())
    throwValueError("kv_lengths: expected none with cu_seqlens_k, which says "
                    "how long sequences are");
  auto readNumbers = q.isOnGPU() ? readBatchNumbersOnGPU : readBatchNumbers;
  lengths = readNumbers(kvLengths, "kv_lengths", extents.b, false);
  offsets = readNumbers(offset, "offset", extents.b, true);
  for (const BatchNumbers *numbers : {&lengths, &offsets})
    if (numbers->view.isGiven())
      expectPlace(numbers->view, q);
  if (pages.isGiven())
    checkPages(pages, lengths, key.pageSize, k.sizes[0]);
  key.lengthsType = lengths.getType();
  key.offsetType = offsets.getType();
  key.offsetIsOne = offsets.isOne;
}

void Attention::setSink(nb::handle object) {
  if (object.is_none())
    return;
  readOperand(object, "sink", sink);
  expectType(sink, q.type, getAccumulator(q.type));
  expectShape(sink, "H", {extents.h});
  key.sinkType = sink.type;
}

void Attention::setDropout(nb::handle p, nb::handle seed) {
  if (p.is_none() && seed.is_none())
    return;
  dropout = readDropout(p, seed, q.library);
  key.hasDropout = dropout.isGiven;
}

void Attention::setScore(nb::handle mods) {
  if (mods.is_none())
    return;
  key.program = traceScore(
      mods, getAccumulator(q.type),
      nb::make_tuple(extents.b, extents.h, extents.n, extents.m), captured);
  for (const ArrayView &view : captured.views)
    expectPlace(view, q);
  if (q.isOnGPU() && captured.readsLast)
    throwNotImplemented("score_mod, mask_mod: arrays at computed indices are "
                        "not built for GPUs yet");
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void Attention::setOutput(nb::handle out, bool withLse) {
  std::array<int64_t, 4> sizes = getSizes(queryRows, extents.h, extents.dv);
  outputObject = out.is_none()
                     ? makeEmpty(q.library, q.type, 4, sizes.data(), q.device)
                     : nb::borrow(out);
  readOperand(outputObject, "out", output);
  if (!out.is_none()) {
    expectOperand(output, "B, H, N, Dv", "B, N, H, Dv", queryRows, extents.h,
                  extents.dv);
    checkWritable(output);
    for (const ArrayView *other :
         {&q, &k, &v, &pages, &querySequences.view, &keySequences.view, &bias,
          &keyMask, &sink, &mask})
      if (other->isGiven())
        checkDisjoint(output, *other);
    for (const ArrayView &other : captured.views)
      checkDisjoint(output, other);
  }
  key.hasLse = withLse;
  if (!withLse)
    return;
  int64_t lseSizes[] = {queryRows.batches, extents.h, queryRows.positions};
  lseObject =
      makeEmpty(q.library, getAccumulator(q.type), 3, lseSizes, q.device);
  readOperand(lseObject, "lse", lse);
}

/// The axes along which `gradient`, of the shape that was given, has one
/// element and `view`, which is broadcast, must have one, too.
static Shared collapse(ArrayView &view, ArrayView &gradient) {
  gradient.padRank(4);
  Shared shared;
  for (int axis = 0; axis < 4; ++axis) {
    shared.axes[axis] = gradient.sizes[axis] == 1;
    if (shared.axes[axis])
      view.sizes[axis] = 1;
  }
  return shared;
}

void Attention::setGradients(nb::tuple arrays) {
  if (q.isOnGPU())
    throwNotImplemented("q: gradients are not built for GPUs yet");
  key.isGradients = true;
  readOperand(arrays[0], "output", output);
  readOperand(arrays[1], "lse", lse);
  static constexpr const char *names[] = {"d_output", "d_lse",  "d_q",   "d_k",
                                          "d_v",      "d_sink", "d_bias"};
  for (size_t i = 0; i < std::size(names); ++i)
    if (!arrays[i + 2].is_none())
      readOperand(arrays[i + 2], names[i], gradients[i]);
  // Numbers in the mask's place may have become the bias.
  ArrayView &ofBias = gradients[6];
  if (!mask.isGiven() && !arrays[9].is_none())
    readOperand(arrays[9], "d_attn_mask", ofBias);
  key.hasBiasGradient = ofBias.isGiven();
  if (key.hasBiasGradient)
    key.biasIsShared = collapse(bias, ofBias);
  setCaptureGradients(arrays);
}

void Attention::addCaptureGradient(nb::handle object, const ArrayView &array) {
  scratch.push_back(object.is_none() ? makeEmpty(q.library, array.type,
                                                 array.rank, array.sizes)
                                     : nb::borrow(object));
  readOperand(scratch.back(), "d_captures", captureGradients.emplace_back());
}

/// The op has the gradients of all captured arrays of floats, or none.
void Attention::setCaptureGradients(nb::tuple arrays) {
  nb::object ofMask = arrays[9];
  auto ofCaptured = nb::cast<nb::tuple>(arrays[10]);
  key.hasCaptureGradients = mask.isGiven() && !ofMask.is_none();
  for (nb::handle object : ofCaptured)
    key.hasCaptureGradients |= !object.is_none();
  if (!key.hasCaptureGradients)
    return;
  if (mask.isGiven() && mask.type >= LattnF16) {
    ArrayView given = mask;
    for (int axis = 0; axis < given.rank; ++axis)
      if (given.strides[axis] == 0)
        given.sizes[axis] = std::min<int64_t>(given.sizes[axis], 1);
    addCaptureGradient(ofMask, given);
    key.maskIsShared = collapse(mask, captureGradients.back());
  }
  for (size_t i = 0; i < captured.views.size(); ++i)
    if (captured.views[i].type >= LattnF16)
      addCaptureGradient(ofCaptured[i], captured.views[i]);
}

std::vector<LattnArray> Attention::getArguments() {
  std::vector<LattnArray> arguments;
  arguments.reserve(24);
  // In the order of lattn._attention_kernels.
  auto append = [&](std::initializer_list<const ArrayView *> views) {
    for (const ArrayView *view : views)
      if (view->isGiven())
        arguments.push_back(view->getArray());
  };
  append({&q, &k, &v, &pages});
  querySequences.append(arguments);
  keySequences.append(arguments);
  append({&bias, &keyMask});
  for (const BatchNumbers *numbers : {&lengths, &offsets})
    if (numbers->isGiven)
      arguments.push_back(numbers->getArray());
  if (sink.isGiven())
    arguments.push_back(sink.getArray());
  if (key.hasDropout)
    dropout.append(arguments);
  if (mask.isGiven())
    arguments.push_back(mask.getArray());
  if (key.program)
    captured.append(arguments);
  append({&output, &lse});
  for (const ArrayView &view : gradients)
    if (view.isGiven())
      arguments.push_back(view.getArray());
  for (const ArrayView &view : captureGradients)
    arguments.push_back(view.getArray());
  return arguments;
}

LattnError Attention::launch() {
  std::vector<LattnArray> arguments = getArguments();
  if (!q.isOnGPU()) {
    Kernel kernel = getKernel(key, nullptr);
    Interruptible interruptible;
    LattnError error;
    {
      nb::gil_scoped_release unlocked;
      error = lattnCallableCall(kernel.callable->getForHost(), arguments.data(),
                                arguments.size(), nullptr);
    }
    interruptible.throwIfRaised();
    return error;
  }
  std::vector<const ArrayView *> views = {&q,       &k,    &v,    &bias,
                                          &keyMask, &sink, &mask, &output};
  for (const ArrayView &view : captured.views)
    views.push_back(&view);
  GPUCall call(q.device, views);
  Kernel kernel = getKernel(key, call.getStream());
  return call.run(kernel.callable->getForGPU(q.device, call.getStream()),
                  arguments, nullptr);
}

/// Whether the scores of queries depend on nothing but the arrays of queries
/// and keys, and the batch.
static bool areRowsAlike(const KernelKey &key) {
  bool isWindowed = key.left != KernelKey::kNone ||
                    key.right != KernelKey::kNone ||
                    key.bucket != KernelKey::kNone || key.isCausal;
  bool hasScores = key.biasType != KernelKey::kNone ||
                   key.maskType != KernelKey::kNone || key.program;
  return !isWindowed && !hasScores && !key.hasDropout &&
         key.sinkType == KernelKey::kNone;
}

/// Takes a few queries of heads that share keys for those of one head, of
/// shape (B, Hkv, H / Hkv * N, D): so keys are read once, and rows fill a tile.
/// Not where that leaves few tiles for threads; fewest rows have their keys cut
/// into parts instead.
void Attention::mergeHeads() {
  constexpr int64_t tile = 64, fewestRows = 8, fewestTiles = 8;
  if (key.isBnhd || q.isOnGPU() || querySequences.isGiven() ||
      keySequences.isGiven() || !areRowsAlike(key) || extents.n < 2 ||
      extents.n >= tile || extents.h == extents.hkv)
    return;
  int64_t group = extents.h / extents.hkv, rows = group * extents.n;
  int64_t tiles = extents.b * extents.hkv * ((rows + tile - 1) / tile);
  if (rows > fewestRows && tiles < fewestTiles)
    return;
  ArrayView *views[] = {&q, &output, &lse};
  for (ArrayView *view : views)
    if (view->isGiven() && view->strides[1] != extents.n * view->strides[2])
      return;
  for (ArrayView *view : views)
    if (view->isGiven()) {
      view->sizes[1] = extents.hkv;
      view->sizes[2] = rows;
      view->strides[1] *= group;
    }
}

/// Keeps `count` sequences from `begin` on.
void Attention::keepSequences(int64_t begin, int64_t count) {
  querySequences.keep(begin, count);
  keySequences.keep(begin, count);
  lengths.keep(begin, count);
  offsets.keep(begin, count);
  if (pages.isGiven())
    keepFirstAxis(pages, begin, count);
  else if (!keySequences.isGiven())
    for (ArrayView *view : {&k, &v})
      keepFirstAxis(*view, begin, count);
  extents.b = count;
}

/// Takes sequences of one query each, the first rows, for a batch: no tile is
/// then empty but for one row.
void Attention::unpackQueries() {
  extents.n = 1;
  for (ArrayView *view : {&q, &output, &lse}) {
    if (!view->isGiven())
      continue;
    int positions = key.isBnhd && view != &lse ? 1 : 2;
    view->sizes[0] = querySequences.count;
    view->strides[0] = std::exchange(view->strides[positions], 0);
    view->sizes[positions] = 1;
  }
  querySequences = Sequences();
  key.queryBordersType = KernelKey::kNone;
}

/// Servers put the sequences of one query first: those run as a batch.
void Attention::runSingleQueries() {
  int64_t singles = querySequences.singles, all = querySequences.count;
  bool haveArrays = bias.isGiven() || mask.isGiven() || keyMask.isGiven() ||
                    key.program || key.hasDropout;
  if (singles == 0 || (singles < all && haveArrays))
    return;
  if (singles == all)
    return unpackQueries();
  Attention first = *this;
  first.keepSequences(0, singles);
  first.unpackQueries();
  first.runKernel();
  keepSequences(singles, all - singles);
}

void Attention::runKernel() {
  if (!key.isGradients) {
    mergeHeads();
    key.isOneQuery =
        extents.n == 1 && !q.isOnGPU() && !querySequences.isGiven();
  }
  if (key.isOneQuery) {
    key.heads = extents.h;
    key.kvHeads = extents.hkv;
  }
  if (LattnError error = launch())
    throwRuntimeError("lattn.attention: " + takeText(error));
}

nb::object Attention::run() {
  if (!output.isEmpty()) {
    if (querySequences.isGiven() && !key.isGradients)
      runSingleQueries();
    runKernel();
  }
  if (key.isGradients)
    return nb::none();
  return key.hasLse ? nb::make_tuple(outputObject, lseObject) : outputObject;
}

nb::object lattn::python::attention(
    nb::handle q, nb::handle k, nb::handle v, nb::handle window,
    nb::handle causal, nb::handle scale, nb::handle bias, nb::handle keyMask,
    nb::handle attnMask, nb::handle kvLengths, nb::handle offset,
    nb::handle layout, nb::handle softcap, nb::handle sink, nb::handle mods,
    nb::handle dropout, nb::handle seed, nb::handle returnLse, nb::handle out,
    nb::handle gradients, bool unlessTraced, nb::handle pages,
    nb::handle queryBorders, nb::handle keyBorders) {
  if (unlessTraced && isTracedByTorch(q))
    throwTraced("q");
  Attention call(q, k, v, layout, pages, queryBorders, keyBorders);
  call.setWindow(window, causal);
  call.setNumbers(scale, softcap);
  call.setBias(bias);
  call.setMasks(keyMask, attnMask);
  call.setPositions(kvLengths, offset);
  call.setSink(sink);
  call.setScore(mods);
  call.setDropout(dropout, seed);
  if (gradients.is_none())
    call.setOutput(out, isTrue(returnLse, "return_lse"));
  else
    call.setGradients(nb::cast<nb::tuple>(gradients));
  return call.run();
}
