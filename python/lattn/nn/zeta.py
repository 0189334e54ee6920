"""The modules by zeta's signatures (zetascale 2.8.8)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Optional, Union

from torch import Tensor, nn

from . import local_mha, multihead_attention
from .dynamic_position_bias import DynamicPositionBias
from .local_attention import LocalAttention
from .multihead_attention import State
from .multiway import set_split_position

__all__ = ["DynamicPositionBias", "LocalAttention", "LocalMHA",
           "MultiheadAttention", "set_split_position"]


class LocalMHA(local_mha.LocalMHA):
    """lattn.nn.LocalMHA without gates and caches."""

    def __init__(
            self, *, dim: int, window_size: int, dim_head: int = 64,
            heads: int = 8, dropout: float = 0.0, causal: bool = False,
            prenorm: bool = False, qk_rmsnorm: bool = False,
            qk_scale: Union[float, Tensor] = 8, use_xpos: bool = False,
            xpos_scale_base: Optional[float] = None,
            exact_windowsize: Optional[bool] = None, **kwargs: Any) -> None:
        for name in ("gate_values_per_head", "upstream_cache"):
            if name in kwargs:
                raise TypeError("LocalAttention.__init__() got an unexpected "
                                f"keyword argument '{name}'")
        super().__init__(
            dim=dim, window_size=window_size, dim_head=dim_head, heads=heads,
            dropout=dropout, causal=causal, prenorm=prenorm,
            qk_rmsnorm=qk_rmsnorm, qk_scale=qk_scale, use_xpos=use_xpos,
            xpos_scale_base=xpos_scale_base, exact_windowsize=exact_windowsize,
            **kwargs)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None,
                attn_bias: Optional[Tensor] = None) -> Tensor:
        return super().forward(x, mask=mask, attn_bias=attn_bias)


class MultiheadAttention(multihead_attention.MultiheadAttention):
    """Takes two signatures. That of zeta's documentation is also that of
    lattn.nn.MultiheadAttention:

        MultiheadAttention(args, embed_dim, num_heads, dropout=0.0,
            self_attention=False, encoder_decoder_attention=False, subln=False)

    In that of zeta's release, the first argument is a number. The module then always
    has two branches, and returns the output without the weights:

        MultiheadAttention(embed_dim, num_heads, dropout=0.0,
            self_attention=False, subln=False, layernorm_eps=1e-5,
            xpos_scale_base=512, xpos_rel_pos=None)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        is_documented = "args" in kwargs or bool(args) and not hasattr(
            args[0], "__index__")
        if is_documented:
            super().__init__(*args, **kwargs)
        else:
            nn.Module.__init__(self)
            self._build_released(*args, **kwargs)
        self.is_documented = is_documented

    def _build_released(
            self, embed_dim: int, num_heads: int, dropout: float = 0.0,
            self_attention: bool = False, subln: bool = False,
            layernorm_eps: float = 1e-5, xpos_scale_base: float = 512,
            xpos_rel_pos: Optional[bool] = None) -> None:
        self.self_attention = self_attention
        args = SimpleNamespace(multiway=True, layernorm_eps=layernorm_eps,
                               xpos_scale_base=xpos_scale_base)
        self._build(args, embed_dim, num_heads, dropout,
                    bool(subln and self_attention),
                    bool(xpos_rel_pos and self_attention))

    def forward(self, *inputs: Any, **kwargs: Any
                ) -> Union[Tensor, tuple[Tensor, Optional[Tensor]]]:
        """Like lattn.nn.MultiheadAttention. By the release's signature, it returns no
        weights."""
        if self.is_documented:
            return super().forward(*inputs, **kwargs)
        return self._forward_released(*inputs, **kwargs)

    def _forward_released(
            self, query: Tensor, key: Tensor, value: Tensor,
            incremental_state: Optional[State] = None,
            key_padding_mask: Optional[Tensor] = None,
            attn_mask: Optional[Tensor] = None,
            rel_pos: Optional[Tensor] = None, is_first_step: bool = False
            ) -> Tensor:
        return super().forward(query, key, value, incremental_state,
                               key_padding_mask, attn_mask, rel_pos,
                               is_first_step, need_weights=False)[0]
