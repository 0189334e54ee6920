"""attn_implementation="lattn" for the models of Hugging Face transformers.

    import lattn.transformers
    model = AutoModelForCausalLM.from_pretrained(..., attn_implementation="lattn")

Importing this module registers it; register() registers it again. After
optimize(model), lattn's kernels also compute the rest of a model's layers, until
restore(model). generate_batch(model, prompts) and continuous_batching(model) are
transformers' continuous batching.
"""

from __future__ import annotations

from typing import Any, Optional

_NEEDED = ("lattn.transformers: expected transformers 5.23 or newer, whose "
           "AttentionMaskInterface says which keys a query sees, and torch "
           "2.9 or newer: pip install 'transformers>=5.23' 'torch>=2.9'; ")

try:
    import torch
    import transformers as _hugging_face
except ImportError as error:
    raise ImportError(f"{_NEEDED}got: {error}") from None

try:
    from transformers import AttentionInterface, AttentionMaskInterface
    from ._transformers_batching import (
        attend_in_batch, continuous_batching, generate_batch)
    from ._transformers_masks import Mask, make_mask
    from ._transformers_optimize import Summary, optimize, restore
except ImportError as error:
    raise ImportError(
        f"{_NEEDED}got transformers {_hugging_face.__version__} and torch "
        f"{torch.__version__}: {error}") from None

from . import _autocast, _transformers_gpt_neo
from ._attention import attention, is_compiled_by_torch

__all__ = ["register", "optimize", "restore", "Summary", "generate_batch",
           "continuous_batching"]

# Options of transformers that have no counterpart here.
_REFUSED = {
    "output_attentions": "the weights are never in memory",
    "head_mask": "no factor of a head's weights is built",
    "layer_head_mask": "no factor of a head's weights is built",
}


def register() -> None:
    """Makes attn_implementation="lattn" known to transformers.

    Raises ImportError if transformers or torch is missing or too old.
    """
    AttentionInterface.register("lattn", _attend)
    AttentionMaskInterface.register("lattn", make_mask)
    _transformers_gpt_neo.register(_attend)


def _attend(module: torch.nn.Module, query: torch.Tensor, key: torch.Tensor,
            value: torch.Tensor, attention_mask: Any, dropout: float = 0.0,
            scaling: Optional[float] = None, is_causal: Optional[bool] = None,
            position_bias: Optional[torch.Tensor] = None,
            softcap: Optional[float] = None,
            s_aux: Optional[torch.Tensor] = None,
            sliding_window: Optional[int] = None, **others: Any
            ) -> tuple[torch.Tensor, None]:
    """What transformers calls in each layer: (B, H, N, D) to (B, N, H, Dv)."""
    if query.device.type not in ("cpu", "cuda"):
        raise NotImplementedError(
            'attn_implementation="lattn": query: expected a tensor of a CPU or '
            f"a CUDA device, got one of {query.device}")
    for name, reason in _REFUSED.items():
        given = others.get(name)
        if given is not None and given is not False:
            raise NotImplementedError(f'attn_implementation="lattn": {name}: '
                                      f'{reason}; use "eager"')
    cache = others.pop("cache", None)
    if cache is not None:
        return attend_in_batch(module, query, key, value, cache, others, scale=scaling,
                               softcap=softcap or 0.0, sink=s_aux, bias=position_bias,
                               dropout_p=dropout), None
    if _autocast.is_on():
        query, key, value = _autocast.cast(query, key, value)
    n, m = query.shape[2], key.shape[2]
    if isinstance(attention_mask, Mask):
        options = attention_mask.options(m, position_bias is not None)
    else:
        if is_causal is None:
            is_causal = getattr(module, "is_causal", True)
        options = _read_plain(attention_mask, is_causal, sliding_window, n, m)
    out = None
    if n > 1 and not _is_traced(query, key, value, position_bias, s_aux):
        out = query.new_empty((query.shape[0], n, query.shape[1], value.shape[3]))
        options["out"] = out.transpose(1, 2)
    found = attention(query, key, value, scale=scaling, softcap=softcap or 0.0,
                      sink=s_aux, bias=position_bias, dropout_p=dropout,
                      **options)
    if out is None:
        out = found.transpose(1, 2).contiguous()
    return out, None


def _read_plain(mask: Optional[torch.Tensor], is_causal: bool,
                sliding_window: Optional[int], n: int, m: int
                ) -> dict[str, Any]:
    """Options where the model made no mask by the interface: without one, a
    causal module's first query stands at the first key, and a single query sees
    all keys, as with "sdpa". A mask of four axes is the caller's own."""
    if mask is not None:
        if not isinstance(mask, torch.Tensor) or mask.ndim != 4:
            raise NotImplementedError(
                'attn_implementation="lattn": attention_mask: expected None, a '
                "mask of the AttentionMaskInterface or a tensor of four axes, "
                f"got {type(mask).__name__}"
                + (f" of shape {tuple(mask.shape)}"
                   if isinstance(mask, torch.Tensor) else ""))
        return {"attn_mask": mask[..., :m]}
    if not is_causal or n == 1:
        return {}
    left = None if sliding_window is None else sliding_window - 1
    return {"window": (left, 0), "offset": 0}


def _is_traced(*tensors: Optional[torch.Tensor]) -> bool:
    """Whether autograd records the call, or torch.compile traces it."""
    return is_compiled_by_torch() or torch.is_grad_enabled() and any(
        x is not None and x.requires_grad for x in tensors)


register()
