"""Makes a bundle without a compiler, for the stand-in of the driver: kernels in C
by name, some of which hang, fail, crash or are wrong."""

import hashlib
import json
import lzma
import pathlib
import shutil
import subprocess

CAUSAL = {"D": 64, "Dv": 64, "dtype": "bf16", "left": None, "right": 0}
WINDOW = {"dtype": "f16", "left": 30, "right": 5}
FAMILIES = {
    "a": CAUSAL | {"backward": False},
    "b": WINDOW | {"D": 8, "Dv": 8, "backward": False},
    "c": WINDOW | {"D": 16, "Dv": 16, "backward": False},
    "d": CAUSAL | {"backward": True},
    "e": WINDOW | {"D": 8, "Dv": 8, "backward": True}}
SIZES = {"B": 1, "H": 2, "Hkv": 1, "N": 40, "M": 40}
WORKLOADS = [{"name": "first", "family": "a", **SIZES},
             {"name": "second", "family": "b", **SIZES},
             {"name": "first backward", "family": "d", **SIZES},
             {"name": "unnamed", "family": "c", **SIZES, "N": 0},
             {"name": "second backward", "family": "e", **SIZES}]
RAGGED = {"B": 16, "H": 100, "Hkv": 100, "N": 3, "M": 5}
CHECKS = [{"B": 2, "H": 4, "Hkv": 2, "N": 17, "M": 23, "layout": "bnhd",
           "skew": 1}, {"B": 1, "H": 2, "Hkv": 1, "N": 9, "M": 9}]
NAMES = [w["name"] for w in WORKLOADS]
TUNED = 8
PREDICTED = 0.08         # ms; the stand-in's kernels take 0.1

# What is wrong with which kernel.
FAULTS = {"a_tuned2": "hangs", "a_tuned3": "sticks", "a_tuned4": "refuses",
          "a_tuned5": "crashes", "a_tuned6": "writes nothing",
          "b_turns0": "is unsteady", "b_tuned1": "sticks", "c_model": "hangs",
          "e_model": "has one wrong number"}
BODIES = {"hangs": "for (;;) pause();", "crashes": "abort();",
          "has one wrong number": "attention_key_value(p, g, b); "
          "*getElement(getArray(p, D_KEY), 0, 0, 3, 2) ^= 0x100;",
          "writes nothing": "(void)p, (void)g, (void)b;",
          "is unsteady": "static int n; attention_kernel(p, g, b); "
          "*getElement(getArray(p, OUT), 0, 0, 0, 0) ^= ++n & 1;"}


def list_arrays(family):
    more = ("lse", "do", "dq", "dk", "dv") if FAMILIES[family]["backward"] else ()
    return "q", "k", "v", "out", *more


def make_launch(name, family):
    """Its parameters are memrefs' fields, as attention_kernel.c reads them."""
    parameters = []
    for array in list_arrays(family):
        parameters += [["pointer", array], ["pointer", array], ["i64", 0]]
        for field in ("size", "stride"):
            parameters += [["i64", [field, array, axis]]
                           for axis in range(3 if array == "lse" else 4)]
    return {"kernel": name, "grid": [["size", "q", 1], 1, 1],
            "block": [128, 1, 1], "shared": 1024, "parameters": parameters}


def make_kernel(out, name, family, role, chip="sm_90a", predicted=None):
    code = []
    for major, minor in ((12, 9), (13, 0)):
        data = f"machine code of CUDA {major}".encode()
        file = f"kernels/{name}.cuda{major}.xz"
        (out / file).write_bytes(lzma.compress(data))
        code.append({"cuda": [major, minor], "file": file,
                     "sha256": hashlib.sha256(data).hexdigest()})
    arguments = [{"name": array, "element": "bf16"} for array in list_arrays(family)]
    return {"id": f"{family}.{name}.{chip}", "family": family, "chip": chip,
            "role": role, "options": {}, "code": code,
            "predicted": predicted or {},
            "ptxas": [{"name": name, "registers": 1, "spillBytes": 0}],
            "function": {"name": "attention", "arguments": arguments,
                         "buffers": [], "results": [],
                         "launches": [make_launch(name, family)]}}


def make_kernels(out):
    kernels = [make_kernel(out, "older", "a", "model", "sm_90")]
    for family in FAMILIES:
        kernels.append(make_kernel(out, f"{family}_model", family, "model",
                                   predicted=dict.fromkeys(NAMES, PREDICTED)))
    for workload in WORKLOADS[:2]:
        family = workload["family"]
        for variant in ("turns0", "grid0"):
            kernels.append(make_kernel(out, f"{family}_{variant}", family,
                                       "variant"))
        # The last is predicted to be the best.
        for i in range(TUNED):
            kernels.append(make_kernel(
                out, f"{family}_tuned{i}", family, "tuning",
                predicted={workload["name"]: 1000 - i}))
    return kernels


def make_library(kernels, source, out, compiler):
    """The kernels' work, in C."""
    lines = ['#include <stdlib.h>', '#include <unistd.h>',
             f'#include "{source}"']
    for kernel in kernels:
        name = kernel["function"]["launches"][0]["kernel"]
        right = ("attention_key_value" if FAMILIES[kernel["family"]]["backward"]
                 else "attention_kernel")
        body = BODIES.get(FAULTS.get(name), f"{right}(p, g, b);")
        lines.append(f"void {name}(void **p, const unsigned *g, "
                     f"const unsigned *b) {{ {body} }}")
    (out / "kernels.c").write_text("\n".join(lines) + "\n")
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", out / "kernels.c", "-lm",
                    "-w", "-o", out / "kernels.so"], check=True)


def make_tools(out):
    """ncu and compute-sanitizer that run what they are given."""
    out.mkdir()
    skip = 'while ! expr "$1" : ".*python" > /dev/null; do shift; done\n"$@" || exit\n'
    names = ",".join(f"metric.{i}" for i in range(30))
    for name, end in (("ncu", f"echo '{names}'; echo '{names}'; echo '{names}'"),
                      ("compute-sanitizer", "exit 0")):
        (out / name).write_text(f"#!/bin/sh\n{skip}{end}\n")
        (out / name).chmod(0o755)


def make(device, out, source, compiler):
    """The manifest."""
    shutil.copytree(device, out, ignore=shutil.ignore_patterns("__pycache__"))
    (out / "kernels").mkdir()
    kernels = make_kernels(out)
    manifest = {"format": 3, "families": FAMILIES, "workloads": WORKLOADS,
                "checks": CHECKS, "ragged": RAGGED, "kernels": kernels,
                "skipped": []}
    (out / "manifest.json").write_text(json.dumps(manifest))
    make_library(kernels, pathlib.Path(source).resolve(), out, compiler)
    make_tools(out / "tools")
    return manifest
