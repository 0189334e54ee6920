"""MultiheadAttention."""

from __future__ import annotations

import math
from typing import Any, Optional, Protocol

import torch
from torch import Tensor, nn

from . import _arguments, _blocks, _dropout, _linear, _multihead
from ._errors import require, require_cpu
from .multiway import MultiwayWrapper, branches
from .xpos import XPOS

State = dict[str, Tensor]


class Config(Protocol):
    """An object with these attributes. With subln it also needs layernorm_eps, and
    with xpos_rel_pos xpos_scale_base."""

    multiway: bool
    xpos_rel_pos: bool


class MultiheadAttentionBase(nn.Module):
    """What torchscale's and zeta's modules have in common."""

    def _build(self, args: Any, embed_dim: int, num_heads: int, dropout: float,
               with_norm: bool, with_xpos: bool) -> None:
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.scaling = self.head_dim ** -0.5
        # In the packages' order: so are the initial values.
        for name in ("k_proj", "v_proj", "q_proj", "out_proj"):
            linear = nn.Linear(embed_dim, embed_dim, bias=True)
            setattr(self, name, MultiwayWrapper(args, linear))
        self.inner_attn_ln = (
            MultiwayWrapper(args, nn.LayerNorm(embed_dim,
                                               eps=args.layernorm_eps))
            if with_norm else None)
        self.dropout_module = nn.Dropout(dropout)
        self.xpos = (XPOS(self.head_dim, args.xpos_scale_base)
                     if with_xpos else None)

    def reset_parameters(self) -> None:
        """Xavier-uniform weights; of both branches, if there are two."""
        for proj in (self.k_proj, self.v_proj, self.q_proj):
            for linear in branches(proj):
                nn.init.xavier_uniform_(linear.weight, gain=1 / math.sqrt(2))
        for linear in branches(self.out_proj):
            nn.init.xavier_uniform_(linear.weight)
        for linear in branches(self.out_proj):
            nn.init.constant_(linear.bias, 0.0)

    def _check(self, query: Tensor, key: Tensor, value: Tensor) -> None:
        require_cpu("query", query.device)
        batches, _, size = query.size()
        if size != self.embed_dim:
            raise AssertionError(f"query dim {size} != {self.embed_dim}")
        if key.size(0) != batches:
            raise AssertionError(f"{query.size(), key.size()}")
        require(value is not None)
        require(batches > 0, "False")
        if value.shape[:2] != key.shape[:2]:
            raise RuntimeError(
                f"value: expected the shape {tuple(key.shape[:2])} and the "
                f"dimension, got {tuple(value.shape)}")

    def _split(self, x: Tensor) -> Tensor:
        """(B, N, E) to (B, H, N, D)."""
        x = x.view(*x.shape[:2], self.num_heads, self.head_dim)
        return x.transpose(1, 2)

    def _attend(self, query: Tensor, key: Tensor, value: Tensor,
                state: Optional[State], key_padding_mask: Optional[Tensor],
                attn_mask: Optional[Tensor], rel_pos: Optional[Tensor],
                is_first_step: bool, need_weights: bool
                ) -> tuple[Tensor, Optional[Tensor]]:
        self._check(query, key, value)
        q = self._split(_linear.apply(query, self.q_proj) * self.scaling)
        k = self._split(_linear.apply(key, self.k_proj))
        v = self._split(_linear.apply(value, self.v_proj))
        if state is not None:
            k, v = _extend(state, k, v)
        if self.xpos is not None:
            is_later = state is not None and not is_first_step
            q = self.xpos(q, offset=k.shape[2] - 1 if is_later else 0)
            k = self.xpos(k, downscale=True)
        q, k, v = _arguments.unify(q, k, v)  # earlier keys may be of another type
        bias = _join_bias(q, k.shape[2], attn_mask, rel_pos)
        key_mask = _invert(key_padding_mask, k)
        finite = attn_mask is not None
        drop = self.dropout_module
        if _blocks.is_plain(drop, nn.Dropout):
            p = drop.p if drop.training else 0.0
            seed = _dropout.draw_seed() if p > 0 else None
            out = _multihead.attention(q, k, v, bias, key_mask, seed, finite, p)
        else:  # it has hooks, or was replaced
            stored = _multihead.weights(q, k, bias, key_mask, finite)
            out = drop(stored.flatten(0, 1)).view_as(stored) @ v
        weights = None
        if need_weights:
            weights = _multihead.weights(q, k, bias, key_mask, finite)
            weights = weights.transpose(0, 1)
        out = out.transpose(1, 2).flatten(2)
        if self.inner_attn_ln is not None:
            out = self.inner_attn_ln(out)
        return _linear.apply(out, self.out_proj), weights


def _extend(state: State, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """Earlier keys and values, then these; state takes both."""
    if "prev_key" in state:
        shape = (*k.shape[:2], -1, k.shape[3])
        k = torch.cat([state["prev_key"].reshape(shape), k], dim=2)
        v = torch.cat([state["prev_value"].reshape(shape), v], dim=2)
    state["prev_key"], state["prev_value"] = k, v
    return k, v


def _join_bias(q: Tensor, keys: int, attn_mask: Optional[Tensor],
               rel_pos: Optional[Tensor]) -> Optional[Tensor]:
    """What is added to the scores; bool counts as 0 and 1, as in the
    packages."""
    shape = (*q.shape[:3], keys)
    if attn_mask is not None:
        if attn_mask.dim() > 2:
            raise RuntimeError(f"attn_mask: expected the shape {shape[2:]}, "
                               f"got {tuple(attn_mask.shape)}")
        attn_mask = attn_mask.to(q.dtype).expand(shape[2:])
    if rel_pos is None:
        return attn_mask
    rel_pos = rel_pos.reshape(shape)
    return rel_pos if attn_mask is None else rel_pos + attn_mask


def _invert(padding: Optional[Tensor], k: Tensor) -> Optional[Tensor]:
    """(B, M), True takes part."""
    if padding is None:
        return None
    if padding.shape != (k.shape[0], k.shape[2]):
        raise RuntimeError(
            f"key_padding_mask: expected the shape {(k.shape[0], k.shape[2])}, "
            f"got {tuple(padding.shape)}")
    return padding == 0


class MultiheadAttention(MultiheadAttentionBase):
    """Multi-head attention with its projections: torchscale's module.

    Args:
      args: an object with the attributes multiway and xpos_rel_pos. With subln it
        also needs layernorm_eps, and with xpos_rel_pos xpos_scale_base.
      embed_dim, num_heads: a head has embed_dim // num_heads elements.
      dropout: dropout of the weights, in training.
      self_attention, encoder_decoder_attention: exactly one of both is True.
      subln: a LayerNorm before the last projection, in self-attention.

    Source: docs/spec.md, "lattn.attention"; Wang et al., Foundation Transformers
    (2022).
    """

    def __init__(self, args: Config, embed_dim: int, num_heads: int,
                 dropout: float = 0.0, self_attention: bool = False,
                 encoder_decoder_attention: bool = False, subln: bool = False
                 ) -> None:
        super().__init__()
        self.args = args
        self.self_attention = self_attention
        self.encoder_decoder_attention = encoder_decoder_attention
        require(bool(self_attention) != bool(encoder_decoder_attention))
        self._build(args, embed_dim, num_heads, dropout,
                    bool(subln and self_attention),
                    bool(args.xpos_rel_pos and self_attention))

    def forward(self, query: Tensor, key: Tensor, value: Tensor,
                incremental_state: Optional[State] = None,
                key_padding_mask: Optional[Tensor] = None,
                attn_mask: Optional[Tensor] = None,
                rel_pos: Optional[Tensor] = None, is_first_step: bool = False,
                *, need_weights: bool = True
                ) -> tuple[Tensor, Optional[Tensor]]:
        """Takes query (B, N, E), key and value (B, M, E). Returns output (B, N, E) and
        weights (H, B, N, M).

        Args:
          incremental_state: a dict that holds the keys and values of earlier calls,
            and gets those of this call.
          key_padding_mask: (B, M). Nonzero hides the key.
          attn_mask: (N, M), is added to the scores.
          rel_pos: B * H * N * M numbers, are added to the scores.
          is_first_step: True in the first call with an incremental_state, for xpos.
          need_weights: False computes no weights, and returns None for them.
            torchscale's module has no such argument.
        """
        return self._attend(query, key, value, incremental_state,
                            key_padding_mask, attn_mask, rel_pos,
                            is_first_step, need_weights)
