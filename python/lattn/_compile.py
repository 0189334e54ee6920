"""lattn.compile and lattn.compile_ptx."""

from __future__ import annotations

import os

from . import _kernels
from ._lattn import Callable
from ._lattn import compile_ptx as _compile_ptx


def _is_text(source: str) -> bool:
    return "\n" in source or "{" in source


def _read(source: str | os.PathLike[str]) -> tuple[bytes, str]:
    """The text, and the name that errors give it."""
    if isinstance(source, str) and _is_text(source):
        return source.encode(), "<text>"
    name = os.fspath(source)
    with open(name, "rb") as file:
        return file.read(), name


def compile(
    source: str | os.PathLike[str],
    entry: str | None = None,
    *,
    mcpu: str | None = None,
    mattr: str | None = None,
    pipeline: str = "llvm",
    cache: str | os.PathLike[str] | None = None,
) -> Callable:
    """Compiles a function of an MLIR module to machine code.

    Args:
      source: a file, or the module's text, which is a str with a newline or a brace.
      entry: the function's name. None is the only public function, or main.
      mcpu, mattr: LLVM's name of the CPU, and its features. None is this machine's.
      pipeline: "llvm", or "loops" for naive, slow code.
      cache: a folder for compiled code. "off" is none; None is the default.

    Returns:
      A lattn.Callable. Its ``signature`` lists arguments and results. Arguments are
      given by position or by name (the attribute lattn.name, else arg0, arg1, ...):
      arrays as for lattn.attention, scalars as numbers. Memrefs that the function
      writes are written in place. A call returns None, the result, or a tuple of
      results: torch's tensors if an argument was one, else NumPy's arrays. For
      arrays on a GPU the function is compiled at the first call. Element types,
      ranks and sizes are checked before the call (TypeError, ValueError). Sizes that
      the types leave open must fit together. ``grad(arguments)`` makes a callable
      for values and gradients. Ctrl-C takes effect when a call has ended. (Calls of
      lattn.attention and lattn.nn end early.)

    Raises:
      OSError: the file cannot be read.
      RuntimeError: the compiler's messages, with file and line.
    """
    text, name = _read(source)
    _kernels.dump(text, "lattn.compile")
    return Callable(text, name, entry or "", mcpu or "", mattr or "", pipeline,
                    os.fspath(cache) if cache is not None else "", False, -1, 0,
                    False)


def compile_ptx(source: str | os.PathLike[str], chip: str = "sm_80") -> str:
    """Compiles the attention of an MLIR module to PTX for NVIDIA GPUs.

    It needs neither a GPU nor CUDA. `lattn-compile --emit=ptx` does the same.

    Args:
      source: a file, or the module's text, which is a str with a newline or a brace.
        Its functions may do nothing but attention of f16 or bf16.
      chip: "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", ... sm_90a's kernels use TMA
        and wgmma.

    Returns:
      The kernels' text. Comments at its top say how many threads and how much shared
      memory each kernel takes.

    Raises:
      OSError: the file cannot be read.
      RuntimeError: the compiler's messages, with file and line.
    """
    return _compile_ptx(*_read(source), chip)
