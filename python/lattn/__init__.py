"""Windowed and masked attention, compiled.

    attention                 attention of NumPy arrays, torch tensors, DLPack
    scaled_dot_product_attention  the same, with torch's arguments
    local_attention           attention in blocks, lattn.nn without torch
    local_mha                 the same, with its projections
    local_transformer         layers of it
    multihead_attention       torchscale's and zeta's module
    math                      functions of scores, for its score_mod
    compile                   an MLIR module to a callable, whose grad() makes
                              one for values and gradients
    Window                    which keys a query sees
    ArrayLike                 the type of arrays that functions take
    set_num_threads           threads of calls from now on
    get_num_threads

With LATTN_DUMP_DIR in the environment, the text of each kernel that Python
compiles is written into the folder that it names: a file that lattn-run runs,
with arguments of the names that are in it.
"""

from __future__ import annotations

from . import math
from ._attention import attention
from ._compile import compile
from ._gradient import Gradient
from ._lattn import Callable, __version__
from ._local_attention import local_attention
from ._local_mha import local_mha
from ._local_transformer import local_transformer
from ._multihead_attention import multihead_attention
from ._sdpa import scaled_dot_product_attention
from ._threads import get_num_threads, set_num_threads
from ._types import ArrayLike
from ._window import Window

__all__ = ["ArrayLike", "Callable", "Gradient", "Window", "__version__",
           "attention", "compile", "get_num_threads", "local_attention",
           "local_mha", "local_transformer", "math", "multihead_attention",
           "scaled_dot_product_attention", "set_num_threads"]
