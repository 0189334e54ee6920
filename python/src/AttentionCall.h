//===- AttentionCall.h - One call of lattn.attention ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PYTHON_ATTENTIONCALL_H
#define LATTN_PYTHON_ATTENTIONCALL_H

#include "Attention.h"
#include <array>

namespace lattn::python {

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
  void useMaskAsBias();
  void checkGradientsOnGPU(const nb::tuple &arrays) const;
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
  void checkBuiltForGPU() const;
  void keepSequences(int64_t begin, int64_t count);
  void unpackQueries();
  void runSingleQueries();
  bool hasFewQueries() const;
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

} // namespace lattn::python

#endif // LATTN_PYTHON_ATTENTIONCALL_H
