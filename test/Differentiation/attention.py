# REQUIRES: slow, torch
# RUN: %python %s %lattn_build/bin/lattn-opt %{slice}1 4%{times100}

# Derivatives of attention with generated options, in reverse and forward mode
# and of both, against torch in f64. What is hidden holds NaN and Inf.

import sys

import numpy as np
import torch

import lattn  # noqa: F401
from attention_programs import Case
from derivatives import call_all, differentiate

# What a case compiles.
CHOICES = [("f_jvp", "f_grad_grad"), ("f_jvp", "f_grad_jvp"), ("f_jvp_grad",),
           ("f_jvp_jvp",)]


def get_passes(names):
    made = []
    for name in names:
        for end in range(2, len(name.split("_")) + 1):
            inner, mode = "_".join(name.split("_")[:end]).rsplit("_", 1)
            mode = {"grad": "reverse", "jvp": "forward"}[mode]
            made.append(f"--lattn-differentiate=functions={inner} mode={mode}")
    return list(dict.fromkeys(made))


def get_grad(function, count):
    """Of functions of tensors to tuples: arguments and cotangents to those of
    the arguments, of which there are `count`."""
    def grad(*arguments):
        x, cotangents = arguments[:count], arguments[count:]
        return take(function(*x), x, cotangents)
    return grad


def get_jvp(function, count):
    """The same for tangents: what is linear in cotangents, differentiated."""
    def jvp(*arguments):
        x, tangents = arguments[:count], arguments[count:]
        y = function(*x)
        u = [torch.zeros_like(v, requires_grad=True) for v in y]
        return take(take(y, x, u), u, tangents)
    return jvp


def take(y, x, cotangents):
    used = [(v, c) for v, c in zip(y, cotangents) if v.requires_grad]
    if not used:
        return tuple(torch.zeros_like(v) for v in x)
    found = torch.autograd.grad([v for v, _ in used], x, [c for _, c in used],
                                create_graph=True, allow_unused=True)
    return tuple(torch.zeros_like(v) if g is None else g
                 for v, g in zip(x, found))


def check(case, module, names, pipeline):
    rng, floats = case.rng, case.clean()
    own, results = list(case.floats), ["output", "lse"]
    like = dict(zip(own, floats)) | {
        name: x.numpy() for name, x in zip(
            results, case.compute(*(torch.tensor(x, dtype=torch.float64)
                                    for x in floats)))}

    def draw(names):
        return [rng.normal(size=like[x].shape).astype(case.element)
                for x in names]
    # What each function gives, by the names of arrays, and takes beside floats.
    gives, takes = {"f": results}, {"f": []}
    drawn, functions = {"f": []}, {"f": case.compute}
    for name in ("f_grad", "f_jvp", "f_grad_grad", "f_grad_jvp", "f_jvp_grad",
                 "f_jvp_jvp"):
        inner, mode = name.rsplit("_", 1)
        all_taken = [*own, *takes[inner]]
        more = gives[inner] if mode == "grad" else all_taken
        gives[name] = all_taken if mode == "grad" else gives[inner]
        takes[name], drawn[name] = takes[inner] + more, drawn[inner] + draw(more)
        functions[name] = {"grad": get_grad, "jvp": get_jvp}[mode](
            functions[inner], len(all_taken))
    arguments = [[*case.arguments(), *(
        case.lay(*x) for x in zip(takes[name], drawn[name]))] for name in names]
    got = call_all(module, names, arguments, pipeline)
    tolerance = 1e-8 if case.element == "float64" else 3e-4
    for name, results in zip(names, got, strict=True):
        tensors = [torch.tensor(v, dtype=torch.float64, requires_grad=True)
                   for v in (*floats, *drawn[name])]
        expected = functions[name](*tensors)
        for what, a, b in zip(gives[name], results, expected, strict=True):
            b = case.lay(what, b.numpy(force=True))
            np.testing.assert_allclose(
                a, b, rtol=tolerance,
                atol=tolerance * (1 + np.abs(b).max(initial=0)),
                err_msg=f"{name}, derivatives of {what}")


def main(tool, seed, cases, *only):
    torch.set_num_threads(1)
    for number in map(int, only or range(int(cases))):
        case = Case(int(seed), number)
        names = CHOICES[number % len(CHOICES)]
        try:
            module, = differentiate(tool, [case.text()], *get_passes(names))
            check(case, module, names, ("llvm", "loops")[number // 4 % 2])
        except Exception:
            print(f"seed {seed}, case {number}:\n{case.text()}")
            raise
        print(f"case {number} agrees", flush=True)


main(*sys.argv[1:])
