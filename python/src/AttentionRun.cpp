//===- AttentionRun.cpp - From a call of lattn.attention to kernels -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionCall.h"
#include "GPU.h"
#include "Interrupt.h"
#include "Module.h"
#include <utility>

using namespace lattn::python;

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
    if (isDry)
      return nullptr;
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
  std::vector<const ArrayView *> views = {
      &q, &k, &v, &pages, &bias, &keyMask, &sink, &mask, &output, &lse};
  views.insert(views.end(), {&querySequences.view, &keySequences.view,
                             &lengths.view, &offsets.view});
  for (const ArrayView &view : captured.views)
    views.push_back(&view);
  for (const ArrayView &view : gradients)
    views.push_back(&view);
  GPUCall call(q.device, views);
  Kernel kernel = getKernel(key, call.getStream());
  const LattnCudaCallable *compiled =
      kernel.callable->getForGPU(q.device, call.getStream());
  return isDry ? call.prepare(compiled, arguments)
               : call.run(compiled, arguments, nullptr);
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
    view->sizes[0] = querySequences.borders.count;
    view->strides[0] = std::exchange(view->strides[positions], 0);
    view->sizes[positions] = 1;
  }
  querySequences = Sequences();
  key.queryBordersType = KernelKey::kNone;
}

/// Servers put the sequences of one query first: those run as a batch.
void Attention::runSingleQueries() {
  int64_t singles = querySequences.borders.singles,
          all = querySequences.borders.count;
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

/// Whether their number makes a kernel of its own worth compiling.
bool Attention::hasFewQueries() const {
  constexpr int64_t mostOfGradients = 16;
  bool hasSums = key.hasBiasGradient || key.hasCaptureGradients;
  int64_t most = key.isGradients ? (hasSums ? 0 : mostOfGradients) : 1;
  return extents.n <= most && !q.isOnGPU() && !querySequences.isGiven();
}

void Attention::runKernel() {
  if (!key.isGradients)
    mergeHeads();
  if (hasFewQueries()) {
    key.queries = extents.n;
    key.heads = extents.h;
    key.kvHeads = extents.hkv;
  }
  int64_t queries =
      querySequences.isGiven() ? querySequences.borders.longest : extents.n;
  if (!key.isGradients && !q.isOnGPU())
    key.leastQueries = getLeastQueries(queries);
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
