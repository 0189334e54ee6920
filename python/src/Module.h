//===- Module.h - What Python sees of C++ -----------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PYTHON_MODULE_H
#define LATTN_PYTHON_MODULE_H

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace lattn::python {

/// lattn.attention; its docstring says what arguments mean. With `unlessTraced`
/// it throws getTracedError() where torch traces the call. With `gradients` it
/// writes those of lattn.attention, of a call with the same other arguments.
nanobind::object attention(
    nanobind::handle q, nanobind::handle k, nanobind::handle v,
    nanobind::handle window, nanobind::handle causal, nanobind::handle scale,
    nanobind::handle bias, nanobind::handle keyMask, nanobind::handle attnMask,
    nanobind::handle kvLengths, nanobind::handle offset,
    nanobind::handle layout, nanobind::handle softcap, nanobind::handle sink,
    nanobind::handle mods, nanobind::handle dropout, nanobind::handle seed,
    nanobind::handle returnLse, nanobind::handle out,
    nanobind::handle gradients, bool unlessTraced, nanobind::handle pages,
    nanobind::handle queryBorders, nanobind::handle keyBorders);

/// The text of a module, after the passes of `pipeline`. Errors name the file
/// `name`.
std::string runPasses(nanobind::bytes text, const std::string &name,
                      const std::string &pipeline);
/// PTX of the kernels of a module, for a chip.
std::string compilePTX(nanobind::bytes text, const std::string &name,
                       const std::string &chip);

/// Adds the class of compiled functions and what makes them.
void addCallable(nanobind::module_ &module);
/// Adds the class that tells whether Python objects changed.
void addSnapshot(nanobind::module_ &module);
/// Adds `xla_handlers`, which lattn.jax registers.
void addXLA(nanobind::module_ &module);

} // namespace lattn::python

#endif // LATTN_PYTHON_MODULE_H
