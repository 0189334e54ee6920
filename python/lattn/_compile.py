"""lattn.compile."""

from __future__ import annotations

import os

from . import _kernels
from ._lattn import Callable


def _is_text(source: str) -> bool:
    return "\n" in source or "{" in source


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
      ranks and sizes are checked before the call (TypeError, ValueError), also
      whether sizes that the types leave open fit together. ``grad(arguments)``
      makes a callable for values and gradients. Ctrl-C waits for the end of a call,
      because the function may take indices from what it computed. It ends calls of
      lattn.attention and lattn.nn early.

    Raises:
      OSError: the file cannot be read.
      RuntimeError: the compiler's messages, with file and line.
    """
    if isinstance(source, str) and _is_text(source):
        text, name = source.encode(), "<text>"
    else:
        name = os.fspath(source)
        with open(name, "rb") as file:
            text = file.read()
    _kernels.dump(text, "lattn.compile")
    return Callable(text, name, entry or "", mcpu or "", mattr or "", pipeline,
                    os.fspath(cache) if cache is not None else "", False, -1, 0)
