# REQUIRES: slow, torch
# RUN: %python %s %lattn_build/bin/lattn-opt

# Functions of tensors of unknown sizes: their gradients and tangents, and those
# of the gradients, against torch in f64.

import sys

import numpy as np
import torch

import lattn
from derivatives import TWICE, call_all, differentiate
from tensor_programs import PROGRAMS

tool = sys.argv[1]
rng = np.random.default_rng(11)


def by_torch(function, x, g, w):
    """Value, cotangents, and the cotangents of x and g of those for w."""
    x = [torch.tensor(v, requires_grad=v.dtype.kind == "f") for v in x]
    g = torch.tensor(g, requires_grad=True)
    floats = [v for v in x if v.requires_grad]
    y = function(*x)
    first = torch.autograd.grad(y, floats, g, create_graph=True)
    pairs = [(v, torch.tensor(t)) for v, t in zip(first, w) if v.requires_grad]
    second = torch.autograd.grad([v for v, _ in pairs], [*floats, g],
                                 [t for _, t in pairs], allow_unused=True)
    second = [torch.zeros_like(v) if s is None else s
              for v, s in zip([*floats, g], second)]
    return [[v.numpy(force=True) for v in vs] for vs in ([y, *first], second)]


def compare(name, what, got, expected):
    for i, (a, b) in enumerate(zip(got, expected, strict=True)):
        np.testing.assert_allclose(
            a, b, rtol=1e-8, atol=1e-8,
            err_msg=f"{name}: {what}, number {i} of {len(expected)}")


def check(name, module, pipeline):
    _, function, make = PROGRAMS[name]
    x = make(rng)
    value = function(*map(torch.tensor, x)).numpy()
    g = rng.normal(size=value.shape)
    w = [rng.normal(size=v.shape) for v in x if v.dtype.kind == "f"]
    names = ["f_grad", "f_jvp", "f_grad_grad", "f_grad_jvp"]
    zero = np.zeros_like(value)
    arguments = [[*x, g], [*x, *w], [*x, g, zero, *w], [*x, g, *w, zero]]
    grad, jvp, reverse, forward = call_all(module, names, arguments, pipeline)
    first, second = by_torch(function, x, g, w)
    compare(name, "gradient", grad, first)
    _, tangent = torch.func.jvp(
        lambda *floats: function(*merge(x, floats)),
        tuple(torch.tensor(v) for v in x if v.dtype.kind == "f"),
        tuple(map(torch.tensor, w)))
    compare(name, "tangent", jvp, [tangent.numpy()])
    compare(name, "reverse over reverse", reverse, second)
    compare(name, "forward over reverse", forward[1:], second[:-1])


def merge(x, floats):
    floats = list(floats)
    return [floats.pop(0) if v.dtype.kind == "f" else torch.tensor(v)
            for v in x]


chosen = sys.argv[2:] or list(PROGRAMS)
modules = differentiate(tool, [PROGRAMS[name][0] for name in chosen], *TWICE)
for name, module in zip(chosen, modules, strict=True):
    for pipeline in ("loops", "llvm"):
        check(name, module, pipeline)
