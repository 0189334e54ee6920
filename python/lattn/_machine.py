"""What the system says about the CPU."""

from __future__ import annotations

import pathlib
import platform

# Those that kernels of lattn or of other packages use.
_FEATURES = ("sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq",
             "avx512vl", "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_tile",
             "amx_bf16", "asimd", "sve", "bf16")


def _read() -> dict[str, str]:
    """The first CPU's lines of /proc/cpuinfo."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return {}
    lines = (line.partition(":") for line in text.split("\n\n")[0].splitlines())
    return {name.strip(): value.strip() for name, _, value in lines}


def find_cpu() -> str:
    """The CPU's name."""
    return _read().get("model name") or platform.processor() or platform.machine()


def find_features() -> list[str]:
    """The vector and matrix instructions that the CPU has, in Linux's spelling."""
    info = _read()
    flags = (info.get("flags") or info.get("Features") or "").split()
    return [name for name in _FEATURES if name in flags]
