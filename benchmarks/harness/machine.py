"""The machine and the versions of what is measured on it."""

import importlib.metadata
import os
import pathlib
import platform
import subprocess

FEATURES = ("sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512bw",
            "avx512vl", "avx512_bf16", "avx512_fp16", "amx_tile", "amx_bf16",
            "asimd", "sve", "bf16")
PACKAGES = ("numpy", "torch", "local-attention", "onnxruntime", "openvino",
            "jax")


def _cpu_info():
    """The first CPU's lines of /proc/cpuinfo."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return {}
    lines = (line.split(":", 1) for line in text.split("\n\n")[0].splitlines())
    return {pair[0].strip(): pair[1].strip() for pair in lines if len(pair) == 2}


def _flags():
    info = _cpu_info()
    return (info.get("flags") or info.get("Features") or "").split()


def vector_bits():
    """Widths that a peak may be reached with."""
    flags = _flags()
    if "avx512f" in flags:
        return (256, 512)
    return (256,) if "avx" in flags else (128,)


def _caches():
    caches = {}
    for cache in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob(
            "index*")):
        level, kind, size = ((cache / name).read_text().strip()
                             for name in ("level", "type", "size"))
        if kind != "Instruction":
            caches[f"L{level}"] = size
    return caches


def describe():
    info = _cpu_info()
    flags = _flags()
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "model": info.get("model name", platform.machine()),
        "family": info.get("cpu family", ""),
        "model number": info.get("model", ""),
        "features": [name for name in FEATURES if name in flags],
        "cpus": len(os.sched_getaffinity(0)),
        "caches": _caches(),
        "memory GiB": round(pages / 2**30, 1),
        "system": platform.system(),
    }


def versions():
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True,
        cwd=pathlib.Path(__file__).parent)
    if commit.returncode == 0:
        found["lattn"] = commit.stdout.strip()
    return found
