//===- Kernels.cpp - The stand-in's modules and launches ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace fake;

using Lock = std::lock_guard<std::recursive_mutex>;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// As the driver decides, by the first .version and .target of PTX.
static Status checkPtx(const std::string &text) {
  int major = 0, minor = 0, chip = 0;
  char suffix = ' ';
  size_t version = text.find(".version"), target = text.find(".target sm_");
  if (version == std::string::npos || target == std::string::npos)
    return kInvalidPtx;
  std::sscanf(text.c_str() + version, ".version %d.%d", &major, &minor);
  std::sscanf(text.c_str() + target, ".target sm_%d%c", &chip, &suffix);
  if ((major + 4) * 1000 > getNumber("FAKECUDA_VERSION", 12080))
    return kUnsupportedPtx;
  bool exact = suffix == 'a' || suffix == 'f';
  bool runs = exact ? chip == getCapability() : chip <= getCapability();
  return runs ? 0 : kNoBinary;
}

FAKECUDA_EXPORT Status cuModuleLoadDataEx(ModuleHandle *module,
                                          const void *image, unsigned count,
                                          const JitOption *options,
                                          void **values) {
  Lock lock(getState().mutex);
  if (Status status = enterInContext("cuModuleLoadDataEx"))
    return status;
  std::string text = static_cast<const char *>(image);
  bool isPtx = text.find(".version") != std::string::npos;
  Status status = isPtx ? checkPtx(text) : 0;
  if (text.find("not_an_instruction") != std::string::npos) {
    status = kInvalidPtx;
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == JitOption::ErrorLogBuffer)
        std::strcpy(static_cast<char *>(values[i]),
                    "ptxas application ptx input, line 5; error : Not a name "
                    "of any known instruction");
  }
  if (status)
    return status;
  *module = new ModuleObject{text, getStack().back(), {}};
  getState().modules.insert(*module);
  return 0;
}

FAKECUDA_EXPORT Status cuModuleUnload(ModuleHandle module) {
  Lock lock(getState().mutex);
  if (Status status = enterInContext("cuModuleUnload"))
    return status;
  if (!getState().modules.erase(module))
    return kInvalidHandle;
  delete module;
  return 0;
}

/// As the driver decides, by the .maxntid of a kernel's PTX.
static int findMaxThreads(const std::string &text, size_t entry) {
  size_t body = text.find('{', entry), bound = text.find(".maxntid", entry);
  int x = 0, y = 1, z = 1;
  if (bound >= body ||
      std::sscanf(text.c_str() + bound, ".maxntid %d, %d, %d", &x, &y, &z) < 1)
    return kMaxThreads;
  return x * y * z;
}

FAKECUDA_EXPORT Status cuModuleGetFunction(FunctionHandle *function,
                                           ModuleHandle module,
                                           const char *name) {
  Lock lock(getState().mutex);
  if (Status status = enterInContext("cuModuleGetFunction", name))
    return status;
  bool isPtx = module->image.find(".version") != std::string::npos;
  size_t entry = module->image.find(".entry " + std::string(name) + "(");
  if (isPtx && entry == std::string::npos)
    return kNotFound;
  FunctionObject &object = module->functions[name];
  if (isPtx)
    object.maxThreads = findMaxThreads(module->image, entry);
  object.name = name;
  object.context = module->context;
  *function = &object;
  return 0;
}

FAKECUDA_EXPORT Status cuFuncGetAttribute(int *value,
                                          FunctionAttribute attribute,
                                          FunctionHandle function) {
  switch (attribute) {
  case FunctionAttribute::MaxThreadsPerBlock:
    *value = function->maxThreads;
    break;
  case FunctionAttribute::SharedSizeBytes:
    *value = getNumber("FAKECUDA_STATIC_SHARED", 0);
    break;
  case FunctionAttribute::LocalSizeBytes:
    *value = 16;
    break;
  case FunctionAttribute::NumRegisters:
    *value = 168;
    break;
  case FunctionAttribute::MaxDynamicSharedSizeBytes:
    *value = function->maxDynamicShared;
    break;
  }
  return enterInContext("cuFuncGetAttribute");
}

FAKECUDA_EXPORT Status cuFuncSetAttribute(FunctionHandle function,
                                          FunctionAttribute, int value) {
  if (Status status =
          enterInContext("cuFuncSetAttribute", std::to_string(value)))
    return status;
  if (value > getNumber("FAKECUDA_SHARED", 232448))
    return kInvalidValue;
  function->maxDynamicShared = value;
  return 0;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static std::string print(const unsigned *extents) {
  return std::to_string(extents[0]) + "x" + std::to_string(extents[1]) + "x" +
         std::to_string(extents[2]);
}

static FakeKernel findKernel(const std::string &name) {
  auto kernel = getState().kernels.find(name);
  if (kernel != getState().kernels.end())
    return kernel->second;
  const char *path = std::getenv("FAKECUDA_KERNELS");
  void *library = path ? ::dlopen(path, RTLD_NOW) : nullptr;
  return library ? reinterpret_cast<FakeKernel>(::dlsym(library, name.c_str()))
                 : nullptr;
}

static Status launch(const char *call, FunctionHandle function,
                     const unsigned *grid, const unsigned *block,
                     const unsigned *cluster, unsigned shared,
                     StreamHandle stream, void **parameters) {
  Lock lock(getState().mutex);
  std::string details = function->name + " grid " + print(grid) + " block " +
                        print(block) + " cluster " + print(cluster) +
                        " shared " + std::to_string(shared) + " " +
                        (stream ? "own stream" : "legacy stream");
  if (Status status = enterInContext(call, details))
    return status;
  if (getStack().back() != function->context)
    return kInvalidContext;
  if (stream && !getState().streams.count(stream))
    return kInvalidHandle;
  if (int(shared) > function->maxDynamicShared || !grid[0] || !grid[1] ||
      !grid[2])
    return kInvalidValue;
  if (Status status = getWantedStatus("FAKECUDA_FAIL", function->name))
    return status;
  getState().sticky = getWantedStatus("FAKECUDA_STICKY", function->name);
  if (FakeKernel kernel = findKernel(function->name))
    kernel(parameters, grid, block);
  return 0;
}

FAKECUDA_EXPORT Status cuLaunchKernel(FunctionHandle function, unsigned gx,
                                      unsigned gy, unsigned gz, unsigned bx,
                                      unsigned by, unsigned bz, unsigned shared,
                                      StreamHandle stream, void **parameters,
                                      void **) {
  const unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz},
                 cluster[] = {1, 1, 1};
  return launch("cuLaunchKernel", function, grid, block, cluster, shared,
                stream, parameters);
}

FAKECUDA_EXPORT Status cuLaunchKernelEx(const LaunchConfig *config,
                                        FunctionHandle function,
                                        void **parameters, void **) {
  if (config->numAttributes != 1 ||
      config->attributes->id != kLaunchAttributeClusterDimension)
    return kInvalidValue;
  return launch("cuLaunchKernelEx", function, config->grid, config->block,
                config->attributes->clusterDim, config->sharedBytes,
                config->stream, parameters);
}

/// " NAME 64x128"
template <typename Extent>
static std::string list(const char *name, const Extent *extents, size_t count) {
  std::string text = std::string(" ") + name + " ";
  for (size_t i = 0; i < count; ++i)
    text += (i ? "x" : "") + std::to_string(extents[i]);
  return text;
}

FAKECUDA_EXPORT Status cuTensorMapEncodeTiled(
    TensorMap *map, TensorMapType type, uint32_t rank, void *address,
    const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
    const uint32_t *elementStrides, int interleave, TensorMapSwizzle swizzle,
    TensorMapL2, int) {
  std::string details =
      "type " + std::to_string(int(type)) + list("sizes", sizes, rank) +
      list("strides", strides, rank - 1) + list("box", box, rank) +
      " swizzle " + std::to_string(int(swizzle));
  if (Status status = enterInContext("cuTensorMapEncodeTiled", details))
    return status;
  const uint64_t fields[16] = {uint64_t(type),
                               rank,
                               reinterpret_cast<uint64_t>(address),
                               sizes[rank - 1],
                               rank > 1 ? strides[rank - 2] : 0,
                               box[rank - 1],
                               elementStrides[rank - 1],
                               uint64_t(interleave),
                               uint64_t(swizzle)};
  std::memcpy(map->opaque, fields, sizeof(fields));
  return 0;
}

//===----------------------------------------------------------------------===//
// Functions by name
//===----------------------------------------------------------------------===//

#ifndef FAKECUDA_WITHOUT_GETPROCADDRESS
#define LATTN_CUDA(name, suffix, parameters)                                   \
  extern "C" Status name##_address parameters __asm__(#name suffix);
#define LATTN_CUDA_SINCE(name, suffix, version, parameters)                    \
  LATTN_CUDA(name, suffix, parameters)
#include "lattn/Runtime/CUDA/DriverFunctions.def"

FAKECUDA_EXPORT Status cuGetProcAddress_v2(const char *name, void **address,
                                           int version, uint64_t, int *) {
  const char *missing = std::getenv("FAKECUDA_MISSING");
  *address = nullptr;
  if (version < 12000 || (missing && !std::strcmp(missing, name)))
    return kNotFound;
  int driver = getNumber("FAKECUDA_VERSION", 12080);
#define LATTN_CUDA(function, suffix, parameters)                               \
  if (!std::strcmp(name, #function))                                           \
    *address = reinterpret_cast<void *>(function##_address);
#define LATTN_CUDA_SINCE(function, suffix, since, parameters)                  \
  if (!std::strcmp(name, #function) && driver >= since)                        \
    *address = reinterpret_cast<void *>(function##_address);
#include "lattn/Runtime/CUDA/DriverFunctions.def"
  return *address ? 0 : kNotFound;
}
#endif
