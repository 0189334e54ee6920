//===- Kernels.cpp - Compiled kernels of this process ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Interrupt.h"
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <unordered_map>
#include <vector>

using namespace lattn::python;

namespace {

struct Kernel {
  /// Null until compiled; a LattnCudaCallable where the key is for a GPU.
  std::atomic<const void *> callable{nullptr};
  std::string error; // not empty where that failed
  std::mutex mutex;  // of these two while threads wait
  std::condition_variable isDone;
};

struct Hash {
  size_t operator()(const KernelKey &key) const {
    return std::hash<std::string_view>()(key.getBytes());
  }
};

/// Guarded by the GIL. Kernels live as long as the process.
using Kernels = std::unordered_map<KernelKey, std::shared_ptr<Kernel>, Hash>;

} // namespace

static Kernels &getKernels() {
  static Kernels *kernels = [] {
    // Nobody goes on compiling for a process that forked meanwhile.
    pthread_atfork(nullptr, nullptr, [] {
      static auto *abandoned = new std::vector<std::shared_ptr<Kernel>>;
      Kernels &kernels = getKernels();
      for (auto it = kernels.begin(); it != kernels.end();) {
        bool isDone = it->second->callable;
        if (!isDone)
          abandoned->push_back(it->second);
        it = isDone ? std::next(it) : kernels.erase(it);
      }
    });
    return new Kernels;
  }();
  return *kernels;
}

/// Without the GIL.
static void compile(const KernelKey &key, void *stream, Kernel &kernel) {
  std::string text = makeKernelText(key);
  const char *name = "lattn.attention";
  const void *callable = nullptr;
  LattnError error;
  if (key.device == ArrayView::kHost) {
    LattnCallable *compiled = nullptr;
    error = lattnCallableCreate(text.data(), text.size(), name, "", nullptr,
                                &compiled);
    callable = compiled;
  } else {
    LattnCudaCallable *compiled = nullptr;
    error = lattnCudaCallableCreate(text.data(), text.size(), name, "", nullptr,
                                    key.device, stream, &compiled);
    callable = compiled;
  }
  std::lock_guard<std::mutex> lock(kernel.mutex);
  kernel.callable = callable;
  if (error)
    kernel.error = takeText(error);
  kernel.isDone.notify_all();
}

/// Without the GIL.
static void waitFor(Kernel &kernel) {
  std::unique_lock<std::mutex> lock(kernel.mutex);
  kernel.isDone.wait(lock,
                     [&] { return kernel.callable || !kernel.error.empty(); });
}

static const void *makeKernel(const KernelKey &key, void *stream) {
  Kernels &kernels = getKernels();
  std::shared_ptr<Kernel> &entry = kernels[key];
  bool isMine = !entry;
  if (isMine)
    entry = std::make_shared<Kernel>();
  std::shared_ptr<Kernel> kernel = entry;
  {
    nb::gil_scoped_release unlocked;
    if (isMine)
      compile(key, stream, *kernel);
    else
      waitFor(*kernel);
  }
  if (kernel->callable) {
    throwIfSignalled();
    return kernel->callable;
  }
  if (isMine)
    kernels.erase(key);
  throwRuntimeError("lattn.attention: " + kernel->error);
}

static const void *findKernel(const KernelKey &key, void *stream) {
  Kernels &kernels = getKernels();
  auto it = kernels.find(key);
  if (it != kernels.end() && it->second->callable)
    return it->second->callable;
  return makeKernel(key, stream);
}

const LattnCallable *lattn::python::getKernel(const KernelKey &key) {
  return static_cast<const LattnCallable *>(findKernel(key, nullptr));
}

const LattnCudaCallable *lattn::python::getKernelOnGPU(const KernelKey &key,
                                                       void *stream) {
  return static_cast<const LattnCudaCallable *>(findKernel(key, stream));
}
