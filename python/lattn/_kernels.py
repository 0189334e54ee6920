"""The compiled kernels of this process. A kernel is text of the dialect that is
compiled when it is first needed. It is dropped when many other kernels were called
since its last call."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import re
import threading
from concurrent.futures import Future
from typing import Any, Callable as Function, Hashable, Sequence

from . import _lattn
from ._lattn import Callable

# Above, the one whose last call is longest ago goes. Those for GPUs stay: their
# work may be running.
_MOST = 1024

_HOST = -1
_Name = tuple[Function[..., str], tuple[Hashable, ...], int]

_kernels: dict[_Name, Callable] = {}
_quiet: set[Function[..., str]] = set()
# Kernels that a thread is compiling. A handler of signals may call this code again.
_begun: dict[_Name, tuple[Future, int]] = {}
_lock = threading.RLock()


def _reset() -> None:
    """Runs in a forked process, in which no other thread goes on compiling."""
    global _lock
    _lock = threading.RLock()
    _begun.clear()


os.register_at_fork(after_in_child=_reset)


def _begin(name: _Name) -> tuple[Future, bool]:
    """The future of a kernel, and whether the caller must compile it."""
    me = threading.get_ident()
    with _lock:
        if name in _kernels:
            done = Future()
            done.set_result(_kernels[name])
            return done, False
        future, thread = _begun.get(name, (None, me))
        if thread == me:
            future = Future()
            _begun[name] = future, me
        return future, thread == me


def dump(text: bytes, name: str) -> None:
    """Writes the text into the folder that LATTN_DUMP_DIR names, if it is set."""
    folder = os.environ.get("LATTN_DUMP_DIR")
    if folder:
        digest = hashlib.sha256(text).hexdigest()[:12]
        os.makedirs(folder, exist_ok=True)
        pathlib.Path(folder, f"{name}-{digest}.mlir").write_bytes(text)


def quiet(make: Function[..., str]) -> Function[..., str]:
    """A decorator: the compiler prints no remarks about the kernels of `make`."""
    _quiet.add(make)
    return make


def _compile(name: _Name, future: Future, stream: int = 0) -> None:
    make, key, device = name
    try:
        text = make(*key).encode()
        dump(text, make.__module__.replace("._", "."))
        # No text of ours takes an index from what it computed.
        kernel = Callable(text, "<text>", "", "", "", "llvm", "", True, device,
                          stream, make in _quiet)
        with _lock:
            _drop()
            _kernels[name] = kernel
    except BaseException as error:  # also one that a user raises by Ctrl-C
        _begun.pop(name, None)
        future.set_exception(error)
    else:
        _begun.pop(name, None)
        future.set_result(kernel)


def _drop() -> None:
    """Drops a kernel to make room for another."""
    on_host = [name for name in _kernels if name[2] == _HOST]
    if len(on_host) >= _MOST:
        del _kernels[min(on_host, key=lambda name: _kernels[name].last_call)]
        _lattn.forget_kernels()


def _is_interrupted(future: Future) -> bool:
    error = future.exception()
    return error is not None and not isinstance(error, Exception)


def derive(text: str, function: str, suffix: str, arguments: Sequence[int],
           keep: str = "") -> str:
    """The text of `function`_grad, `function`_fwd or `function`_jvp, by
    lattn-differentiate."""
    chosen = ",".join(map(str, arguments))
    name = function + suffix
    mode = "forward" if suffix == "_jvp" else "reverse"
    kept = f" keep={keep}" if keep else ""
    return _lattn.run_passes(
        text.encode(), "<text>",
        f"lattn-differentiate{{functions={function} arguments={chosen} "
        f"mode={mode}{kept}}}, symbol-privatize{{exclude={name}}}, symbol-dce")


def without_names(text: str) -> str:
    """The text with arguments without names, to be called by their order."""
    return re.sub(r' \{lattn\.name = "[^"]*"\}', "", text)


def find_device(array: Any) -> int:
    """The number of the GPU whose memory an array is in; negative for the CPU's."""
    return array.get_device() if getattr(array, "is_cuda", False) else _HOST


def get(make: Function[..., str], *key: Hashable, device: int = _HOST,
        stream: int = 0) -> Callable:
    """The kernel with the text make(*key). For a GPU, `stream` is the stream of its
    first call."""
    name = (make, key, device)
    kernel = _kernels.get(name)
    while kernel is None:
        future, is_new = _begin(name)
        if is_new:
            _compile(name, future, stream)
        # Ctrl-C is the exception of one thread; others compile it again.
        if is_new or not _is_interrupted(future):
            kernel = future.result()
    return kernel


def start(make: Function[..., str], *key: Hashable) -> None:
    """Begins to compile a kernel in another thread. `get` waits for it and raises its
    errors."""
    def run() -> None:
        with contextlib.suppress(Exception):
            get(make, *key)
    if (make, key, _HOST) not in _kernels:
        threading.Thread(target=run).start()


def wait() -> None:
    """Waits for what `start` began."""
    with _lock:
        futures = [future for future, _ in _begun.values()]
    for future in futures:
        future.exception()


def count() -> int:
    """How many kernels are kept."""
    return len(_kernels)
