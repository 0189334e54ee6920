//===- State.cpp - What the stand-in knows --------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include <cstdio>
#include <cstdlib>
#include <sstream>

using namespace fake;

State &fake::getState() {
  static State *state = new State; // calls come until the process ends
  return *state;
}

std::vector<ContextHandle> &fake::getStack() {
  static thread_local std::vector<ContextHandle> stack;
  return stack;
}

int fake::getNumber(const char *name, int fallback) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : fallback;
}

int fake::getCapability() {
  const char *text = std::getenv("FAKECUDA_CAPABILITY");
  double capability = text ? std::atof(text) : 9.0;
  return int(capability * 10 + 0.5);
}

Block *State::find(DevicePointer address, size_t bytes) {
  auto after = memory.upper_bound(address);
  if (after == memory.begin())
    return nullptr;
  auto &[begin, block] = *std::prev(after);
  size_t offset = address - begin;
  return offset < block.size && bytes <= block.size - offset ? &block : nullptr;
}

Status fake::getWantedStatus(const char *variable, const std::string &name) {
  const char *text = std::getenv(variable);
  std::istringstream entries(text ? text : "");
  for (std::string entry; std::getline(entries, entry, ',');) {
    size_t equals = entry.find('=');
    if (entry.substr(0, equals) == name)
      return std::atoi(entry.c_str() + equals + 1);
  }
  return 0;
}

Status fake::enter(const std::string &call, const std::string &details) {
  State &state = getState();
  state.calls += call + (details.empty() ? "" : " " + details) + "\n";
  std::string number = "#" + std::to_string(++state.counts[call]);
  for (const std::string &name : {call, call + number})
    if (Status status = getWantedStatus("FAKECUDA_FAIL", name))
      return status;
  return state.initialized || call == "cuInit" ? 0 : kNotInitialized;
}

Status fake::enterInContext(const std::string &call,
                            const std::string &details) {
  if (Status status = enter(call, details))
    return status;
  if (Status status = getState().sticky)
    return status;
  return getStack().empty() ? kInvalidContext : 0;
}

const char *fakeCudaGetLive() {
  static std::string text;
  State &state = getState();
  std::lock_guard<std::recursive_mutex> lock(state.mutex);
  size_t retained = 0;
  for (auto &[device, context] : state.contexts)
    retained += context.references;
  const std::pair<const char *, size_t> kinds[] = {
      {"contexts", retained},
      {"pushed", getStack().size()},
      {"modules", state.modules.size()},
      {"blocks", state.memory.size()},
      {"streams", state.streams.size()},
      {"events", state.events.size()},
  };
  text.clear();
  for (auto [name, count] : kinds)
    if (count)
      text += (text.empty() ? "" : ", ") + std::string(name) + " " +
              std::to_string(count);
  return text.c_str();
}

const char *fakeCudaTakeCalls() {
  static std::string text;
  State &state = getState();
  std::lock_guard<std::recursive_mutex> lock(state.mutex);
  text = std::move(state.calls);
  state.calls.clear();
  state.counts.clear();
  return text.c_str();
}

void fakeCudaSetCapturing(bool isCapturing) {
  getState().isCapturing = isCapturing;
}

void fakeCudaSetKernel(const char *name, FakeKernel kernel) {
  getState().kernels[name] = kernel;
}

/// At the process's end.
__attribute__((destructor)) static void writeLog() {
  const char *path = std::getenv("FAKECUDA_LOG");
  std::FILE *file = path ? std::fopen(path, "w") : nullptr;
  if (!file)
    return;
  std::fprintf(file, "%salive: '%s'\n", getState().calls.c_str(),
               fakeCudaGetLive());
  std::fclose(file);
}
