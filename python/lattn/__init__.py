"""Windowed and masked attention, compiled.

::

    attention            attention of NumPy's arrays, PyTorch's tensors, DLPack
    scaled_dot_product_attention   the same, with PyTorch's arguments
    local_attention      attention in blocks: lattn.nn without PyTorch
    local_mha            the same, with its projections
    local_transformer    layers of it
    multihead_attention  torchscale's and zeta's module
    math                 functions for score_mod and mask_mod
    compile              compiles a function of an MLIR module to a callable
    compile_ptx          kernels for NVIDIA GPUs as text
    precompile           compiles kernels before they are needed
    Callable             what compile returns; its grad() returns gradients
    Window               which keys a query sees
    ArrayLike            the type of arrays that functions take
    set_num_threads      sets the threads of later calls
    get_num_threads      returns their number

Other modules: lattn.nn (PyTorch modules), lattn.transformers (models of Hugging
Face), lattn.jax. ``python -m lattn`` says what lattn finds on this machine.

If the environment variable LATTN_DUMP_DIR names a folder, lattn writes the text of
each kernel that Python compiles into it. lattn-run runs these files.
"""

from __future__ import annotations

from . import math
from ._attention import attention
from ._compile import compile, compile_ptx
from ._gradient import Gradient
from ._lattn import Callable, __version__
from ._local_attention import local_attention
from ._local_mha import local_mha
from ._local_transformer import local_transformer
from ._multihead_attention import multihead_attention
from ._precompile import precompile
from ._sdpa import scaled_dot_product_attention
from ._threads import get_num_threads, set_num_threads
from ._types import ArrayLike
from ._window import Window

__all__ = ["ArrayLike", "Callable", "Gradient", "Window", "__version__",
           "attention", "compile", "compile_ptx", "get_num_threads",
           "local_attention", "local_mha", "local_transformer", "math",
           "multihead_attention", "precompile", "scaled_dot_product_attention",
           "set_num_threads"]
