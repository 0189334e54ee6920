//===- Arguments.h - Arrays as compiled functions take them -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CAPI_ARGUMENTS_H
#define LATTN_LIB_CAPI_ARGUMENTS_H

#include "Unwrap.h"

namespace lattn {

/// The pointers of one call, in the form of Program::call.
class CallPointers {
public:
  /// Checks the arguments and makes pointers into them.
  llvm::Error create(const Program &program, const LattnArray *arguments,
                     intptr_t count);
  void **get() { return pointers.data(); }
  /// The struct of results that the call filled.
  const char *getResults() const {
    return reinterpret_cast<const char *>(resultStruct.data());
  }

private:
  llvm::Error add(const Signature &signature,
                  llvm::ArrayRef<LattnArray> arguments);

  llvm::SmallVector<int64_t, 128> fields; // of descriptors
  llvm::SmallVector<void *, 16> pointers;
  llvm::SmallVector<int64_t, 32> resultStruct;
};

} // namespace lattn

#endif // LATTN_LIB_CAPI_ARGUMENTS_H
