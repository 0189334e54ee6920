//===- Attention.cpp - lattn.attention ------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// From Python's arguments to a call whose arguments are checked.

#include "AttentionCall.h"
#include "Module.h"
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

using namespace lattn::python;

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
  auto read = q.isOnGPU() ? readSequencesOnGPU : readSequences;
  if (!queries.is_none()) {
    querySequences = read(queries, "cu_seqlens_q", extents.n);
    expectPlace(querySequences.view, q);
    extents.b = querySequences.borders.count;
    extents.n = querySequences.borders.longest;
    key.queryBordersType = querySequences.getType();
  }
  if (keys.is_none())
    return;
  if (pages.isGiven())
    throwValueError("cu_seqlens_k: expected none with pages, whose kv_lengths "
                    "say how long sequences are");
  if (k.rank != 4)
    expectShape(k, "1, Hkv, T, D", {1, kAny, kAny, kAny});
  keySequences = read(keys, "cu_seqlens_k", k.sizes[key.isBnhd ? 1 : 2]);
  expectPlace(keySequences.view, q);
  if (keySequences.borders.count != extents.b)
    throwValueError("cu_seqlens_k: expected " + std::to_string(extents.b) +
                    " sequences, as many as q has, got " +
                    std::to_string(keySequences.borders.count));
  extents.m = keySequences.borders.longest;
  key.keyBordersType = keySequences.getType();
}

/// The compiler refuses the same, without the names of Python's arguments.
void Attention::checkBuiltForGPU() const {
  constexpr int64_t mostHeadSize = 256;
  if (q.type != LattnF16 && q.type != LattnBF16)
    throwNotImplemented(std::string("q: expected elements of float16 or "
                                    "bfloat16 on a GPU, got ") +
                        getTypeName(q.type));
  for (const ArrayView *view : {&q, &v})
    if (view->sizes[3] > mostHeadSize)
      throwNotImplemented(std::string(view->name) +
                          ": expected heads of a size of at most " +
                          std::to_string(mostHeadSize) + " on a GPU, got " +
                          std::to_string(view->sizes[3]));
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
  if (q.isOnGPU())
    checkBuiltForGPU();
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
    key.maskIsShared = broadcastScores(mask, extents);
    // Booleans are bytes, which vectors load.
    if (mask.type == LattnBool && !q.isOnGPU())
      mask.type = LattnI8;
    key.maskType = mask.type;
    // A bias is added to scores as a mask of numbers is, and the faster of
    // both.
    if (mask.type >= LattnF16 && !bias.isGiven() && !q.isOnGPU())
      useMaskAsBias();
  }
}

void Attention::useMaskAsBias() {
  bias = std::exchange(mask, ArrayView());
  key.biasIsShared = std::exchange(key.maskIsShared, Shared());
  key.biasType = std::exchange(key.maskType, KernelKey::kNone);
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
  if (pages.isGiven() && !q.isOnGPU()) {
    LattnArray numbers = lengths.getArray();
    if (ValueError error =
            checkPages(pages.getArray(), lengths.isGiven ? &numbers : nullptr,
                       key.pageSize, k.sizes[0]))
      throwValueError(*error);
  }
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

/// Errors for what has no gradient kernel on GPUs.
void Attention::checkGradientsOnGPU(const nb::tuple &arrays) const {
  auto refuse = [](const char *what, const char *name = "") {
    throwNotImplemented(std::string(name) + what +
                        " are not built for GPUs yet: call under "
                        "torch.no_grad(), or with arrays that require none");
  };
  if (pages.isGiven())
    refuse("pages: gradients with pages");
  if (!arrays[9].is_none() && mask.isGiven())
    refuse("attn_mask: gradients of a mask beside a bias");
  if (!arrays[8].is_none() || !arrays[9].is_none()) {
    if (querySequences.isGiven() || keySequences.isGiven())
      refuse(": gradients of packed sequences", bias.name);
    // Queries and keys must be axes of it.
    if (bias.sizes[2] == 1 || bias.sizes[3] == 1)
      refuse(": gradients of an array that queries or keys share", bias.name);
  }
  for (nb::handle array : nb::cast<nb::tuple>(arrays[10]))
    if (!array.is_none())
      refuse("score_mod: gradients of the arrays that it reads");
}

void Attention::setGradients(nb::tuple arrays) {
  if (q.isOnGPU()) {
    // The gradient of a mask of numbers is that of a bias, which GPUs have.
    if (mask.isGiven() && mask.type >= LattnF16 && !bias.isGiven() &&
        !arrays[9].is_none())
      useMaskAsBias();
    checkGradientsOnGPU(arrays);
  }
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
