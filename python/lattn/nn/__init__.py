"""torch modules on lattn's kernels, with the names, arguments and parameters of
the packages that they stand for. ::

    LocalAttention            attention in blocks
    LocalMHA                  with its projections
    LocalTransformer          layers of it; generates tokens
    DynamicPositionBias       a bias of distances
    MultiheadAttention        torchscale's, with XPOS and MultiwayNetwork
    SinusoidalEmbeddings      rotary embeddings, with apply_rotary_pos_emb
    zeta                      some of them, with zeta's signatures

Importing it imports torch.
"""

from __future__ import annotations

import warnings as _warnings

try:
    import torch as _torch
except ImportError as error:
    raise ImportError("lattn.nn: needs torch, which is not installed: "
                      "pip install torch") from error

# While torch.jit.trace records, sizes are tensors. The modules compare them to check
# arguments and to choose kernels: the trace of one length serves all others.
_warnings.filterwarnings("ignore", category=_torch.jit.TracerWarning,
                         module=r"lattn\.nn\.")

from . import zeta
from ._errors import EinopsError
from .dynamic_position_bias import DynamicPositionBias
from .embeddings import SinusoidalEmbeddings, apply_rotary_pos_emb
from .local_attention import LocalAttention
from .local_mha import LocalMHA
from .local_transformer import LocalTransformer
from .multihead_attention import MultiheadAttention
from .multiway import MultiwayNetwork, MultiwayWrapper, set_split_position
from .xpos import XPOS

__all__ = [
    "DynamicPositionBias", "EinopsError", "LocalAttention", "LocalMHA",
    "LocalTransformer", "MultiheadAttention", "MultiwayNetwork",
    "MultiwayWrapper", "SinusoidalEmbeddings", "XPOS", "apply_rotary_pos_emb",
    "set_split_position", "zeta"]
