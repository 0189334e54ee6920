"""python -m lattn: prints what lattn finds on this machine, and checks that its
kernels compute the right numbers. If they do not, the exit status is 1."""

from __future__ import annotations

import argparse
import ctypes
import importlib.metadata
import os
import pathlib
import platform
import shutil
import sys
import time
from typing import Any, Optional

import numpy as np

import lattn
from lattn import _lattn
from lattn._machine import find_features
from lattn._reference import attention

_PACKAGES = ("numpy", "ml_dtypes", "torch", "torch-mlir", "transformers", "jax")
_BF16 = {"widened": "widened to f32", "dot": "by AVX512-BF16",
         "emulated-dot": "by emulated dot products", "amx": "by AMX"}


def _find_packages() -> str:
    found = []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"no {name}")
    return ", ".join(found)


def _describe_cache() -> str:
    folder = _lattn.get_cache_folder()
    if not folder:
        return "none"
    sizes = [entry.stat().st_size for entry in pathlib.Path(folder).glob("*.lattn")]
    limit = os.environ.get("LATTN_CACHE_SIZE") or "1G"
    return (f"{folder}, {len(sizes)} kernels, {sum(sizes) / 1e6:.1f} MB of at most "
            f"{limit}")


def _find_ptxas() -> str:
    """Looks where the compiler looks (FindCUDATool.cpp)."""
    named = os.environ.get("LATTN_PTXAS")
    if named:
        return shutil.which(named) or f"cannot run LATTN_PTXAS={named}"
    folders = [os.environ.get("PATH", "")]
    if os.environ.get("CUDA_HOME"):
        folders.append(os.environ["CUDA_HOME"] + "/bin")
    folders.append("/usr/local/cuda/bin")
    if os.environ.get("VIRTUAL_ENV"):
        packages = pathlib.Path(os.environ["VIRTUAL_ENV"]).glob(
            "lib/python*/site-packages/nvidia/cu*/bin")
        folders += sorted(map(str, packages), reverse=True)
    path = shutil.which("ptxas", path=os.pathsep.join(folders))
    return path or "not found; the driver assembles kernels for GPUs"


def _find_gpus() -> str:
    """Names that the CUDA driver gives; it needs no other part of CUDA."""
    try:
        driver = ctypes.CDLL(os.environ.get("LATTN_LIBCUDA") or "libcuda.so.1")
    except OSError:
        return "none"
    count = ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return "none"
    names = []
    for device in range(count.value):
        name = ctypes.create_string_buffer(256)
        driver.cuDeviceGetName(name, len(name), device)
        names.append(name.value.decode())
    return ", ".join(names) or "none"


def _check(dtype: Any, tolerance: float) -> Optional[str]:
    """Returns what is wrong, or None."""
    generator = np.random.default_rng(0)
    q, k, v = (generator.standard_normal((2, heads, 300, 64)).astype(dtype)
               for heads in (4, 2, 2))
    found = lattn.attention(q, k, v, window=(100, 0)).astype(np.float64)
    error = np.abs(found - attention(q, k, v, 100, 0)).max()
    if error <= tolerance:
        return None
    return f"expected errors of at most {tolerance}, got {error}"


def main() -> int:
    argparse.ArgumentParser(prog="python -m lattn", description=__doc__
                            ).parse_args()
    cpu, bits, bf16 = _lattn.get_host()
    for name, text in (
            ("lattn", f"{lattn.__version__}, {pathlib.Path(lattn.__file__).parent}"),
            ("CPU", f"{cpu}, vectors of {bits} bits, products of bf16 "
             f"{_BF16[bf16]}"),
            ("features", " ".join(find_features()) or "not known"),
            ("threads", lattn.get_num_threads()), ("cache", _describe_cache()),
            ("Python", f"{platform.python_version()}, {_find_packages()}"),
            ("lattn.jax", "built" if hasattr(_lattn, "xla_handlers") else
             "not built: jaxlib was missing"),
            ("ptxas", _find_ptxas()), ("GPUs", _find_gpus())):
        print(f"{name + ':':11}{text}", flush=True)
    import ml_dtypes

    # Of the CPU, so that other work on the machine leaves nothing out.
    end = time.process_time() + 10
    # Of sums in f32; results are rounded to their type.
    status = 0
    for name, dtype, tolerance in (
            ("f32", np.float32, 1e-5), ("f64", np.float64, 1e-12),
            ("f16", np.float16, 2e-3), ("bf16", ml_dtypes.bfloat16, 3e-2)):
        if time.process_time() > end:
            print(f"{'check:':11}windowed attention of {name}: left out, the others "
                  "took too long", flush=True)
            continue
        start = time.perf_counter()
        wrong = _check(dtype, tolerance)
        seconds = time.perf_counter() - start
        status = max(status, wrong is not None)
        print(f"{'check:':11}windowed attention of {name}: "
              f"{wrong or 'right'} ({seconds:.2f} s)", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
