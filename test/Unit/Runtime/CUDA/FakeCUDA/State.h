//===- State.h - What the stand-in knows ------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_UNITTEST_RUNTIME_CUDA_STATE_H
#define LATTN_UNITTEST_RUNTIME_CUDA_STATE_H

#include "FakeCUDA.h"
#include "lattn/Runtime/CUDA/DriverTypes.h"
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace lattn::cuda {

// The driver's objects.
struct ContextObject {
  int device = 0, references = 0;
};
/// Of a block, if a kernel's PTX does not say it.
constexpr int kMaxThreads = 384;
struct FunctionObject {
  std::string name;
  ContextObject *context = nullptr;
  int maxDynamicShared = 48 * 1024;
  int maxThreads = 1024; // of machine code, which is not read
};
struct ModuleObject {
  std::string image;
  ContextObject *context = nullptr;
  std::map<std::string, FunctionObject> functions;
};
struct StreamObject {
  ContextObject *context = nullptr;
};
struct EventObject {
  int time = -1; // of the last record
};

} // namespace lattn::cuda

namespace fake {

using namespace lattn::cuda;

constexpr Status kInvalidValue = 1, kOutOfMemory = 2, kNotInitialized = 3,
                 kNoDevice = 100, kInvalidDevice = 101, kInvalidContext = 201,
                 kNoBinary = 209, kInvalidPtx = 218, kUnsupportedPtx = 222,
                 kInvalidHandle = 400;

struct Block {
  std::unique_ptr<void, void (*)(void *)> bytes;
  size_t size;
  int device;
};

struct State {
  std::recursive_mutex mutex;
  bool initialized = false;
  std::map<int, ContextObject> contexts;
  std::set<ModuleHandle> modules;
  std::set<StreamHandle> streams;
  std::set<EventHandle> events;
  std::map<DevicePointer, Block> memory;
  int time = 0;
  bool isCapturing = false; // every stream
  Status sticky = 0;        // of all calls in a context
  std::string calls;
  std::map<std::string, int> counts;
  std::map<std::string, FakeKernel> kernels;

  /// The block that holds `bytes` bytes at `address`, or null.
  Block *find(DevicePointer address, size_t bytes);
};

State &getState();
/// Contexts that this thread has pushed.
std::vector<ContextHandle> &getStack();
/// The environment's number, else `fallback`.
int getNumber(const char *name, int fallback);
/// 90 for FAKECUDA_CAPABILITY=9.0.
int getCapability();

/// The status that a variable has for a name, NAME=STATUS; entries are
/// separated by commas.
Status getWantedStatus(const char *variable, const std::string &name);
/// Writes the call down; its status where the environment wants it to fail.
Status enter(const std::string &call, const std::string &details = "");
/// Likewise, for calls that need a context.
Status enterInContext(const std::string &call, const std::string &details = "");

} // namespace fake

#endif // LATTN_UNITTEST_RUNTIME_CUDA_STATE_H
