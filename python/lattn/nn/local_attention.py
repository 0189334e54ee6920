"""LocalAttention."""

from __future__ import annotations

from functools import partial
from typing import Callable, Optional, Sequence, Union

import torch
from torch import Tensor, nn

from .._local_kernels import Options
from . import _arguments, _blocks, _dropout, _eager, _ops
from ._errors import require
from .embeddings import SinusoidalEmbeddings, apply_rotary_pos_emb


class LocalAttention(nn.Module):
    """Attention in blocks: a query sees whole blocks of keys around its own. This is
    the local-attention package's module.

    Args:
      window_size: length of a block.
      causal: hides the keys after the query.
      look_backward, look_forward: blocks that a query sees before and after its own.
        look_forward is 0 if causal, else 1.
      dropout: dropout of the weights, in training.
      shared_qk: normalises keys. A token's score for itself is -5e4.
      dim: size of a head, for rotary embeddings; None is no embedding. The item 0 of
        rel_pos_emb_config, which is deprecated, means the same.
      autopad: allows sequences of any length.
      exact_windowsize: a query sees at most look_backward * window_size keys before
        it, and look_forward * window_size after it.
      scale: factor of queries; D**-0.5 if None.
      use_rotary_pos_emb: False turns rotary embeddings off, even with dim.
      use_xpos, xpos_scale_base: xpos. Its base is window_size // 2 if None.

    Source: docs/spec.md, "lattn.local_attention".
    """

    rel_pos: Optional[SinusoidalEmbeddings]

    def __init__(
            self, window_size: int, causal: bool = False,
            look_backward: int = 1, look_forward: Optional[int] = None,
            dropout: float = 0.0, shared_qk: bool = False,
            rel_pos_emb_config: Optional[Sequence[int]] = None,
            dim: Optional[int] = None, autopad: bool = False,
            exact_windowsize: bool = False,
            scale: Union[float, Tensor, None] = None,
            use_rotary_pos_emb: bool = True, use_xpos: bool = False,
            xpos_scale_base: Optional[float] = None) -> None:
        super().__init__()
        if look_forward is None:
            look_forward = 0 if causal else 1
        require(not (causal and look_forward > 0),
                "you cannot look forward if causal")
        self.scale = scale
        self.window_size = window_size
        self.autopad = autopad
        self.exact_windowsize = exact_windowsize
        self.causal = causal
        self.look_backward = look_backward
        self.look_forward = look_forward
        self.dropout = nn.Dropout(dropout)
        self.shared_qk = shared_qk
        self.use_xpos = use_xpos
        self.rel_pos = None
        if rel_pos_emb_config is not None:
            dim = rel_pos_emb_config[0]
        if use_rotary_pos_emb and dim is not None:
            base = xpos_scale_base
            if base is None:
                base = window_size // 2
            self.rel_pos = SinusoidalEmbeddings(dim, use_xpos=use_xpos,
                                                scale_base=base)

    def options(self, size: int, window_size: Optional[int] = None) -> Options:
        """What a kernel for heads of `size` is compiled for."""
        rotary = self.rel_pos
        return Options(
            int(self.window_size),
            int(self.window_size if window_size is None else window_size),
            int(self.look_backward), int(self.look_forward), bool(self.causal),
            bool(self.exact_windowsize), bool(self.autopad),
            bool(self.shared_qk), rotary.dim if rotary else 0,
            float(rotary.theta) if rotary else 1e4, bool(self.use_xpos),
            float(rotary.scale_base) if rotary and self.use_xpos else 0.0,
            self._kernel_scale(size))

    def rotary_buffers(self) -> tuple[Optional[Tensor], Optional[Tensor]]:
        """Frequencies and xpos scales, as far as they are used."""
        rotary = self.rel_pos
        if rotary is None:
            return None, None
        return rotary.inv_freq, rotary.scale if self.use_xpos else None

    def _kernel_scale(self, size: int) -> float:
        if self.scale is None:
            scale = size ** -0.5  # a tensor while torch.jit.trace records
            return float(scale) if isinstance(scale, Tensor) else scale
        return 1.0 if isinstance(self.scale, Tensor) else float(self.scale)

    def scale_query(self, q: Tensor) -> Tensor:
        """By a scale that is learned; kernels do it by others."""
        return q * self.scale if isinstance(self.scale, Tensor) else q

    def forward(self, q: Tensor, k: Tensor, v: Tensor,
                mask: Optional[Tensor] = None,
                input_mask: Optional[Tensor] = None,
                attn_bias: Optional[Tensor] = None,
                window_size: Optional[int] = None) -> Tensor:
        """q, k (..., N, D), v (..., N, Dv) to (..., N, Dv).

        Args:
          mask, input_mask: (B, N) of bool, True takes part. Leading axes of q
            are B, then heads.
          attn_bias: (H, window_size, slots), added to the scores; slots are
            (look_backward + 1 + look_forward) * window_size.
          window_size: for this call; needs use_xpos.

        Raises:
          AssertionError, EinopsError, RuntimeError, ZeroDivisionError: as the
          package. ValueError: an option that kernels do not support.
        """
        mask = input_mask if mask is None else mask
        require(window_size is None or self.use_xpos,
                "cannot perform window size extrapolation if xpos is not "
                "turned on")
        _arguments.check_ranks(q, k, v)
        q, k, v = _arguments.unify(self.scale_query(q), k, v)
        options = self.options(q.shape[-1], window_size)
        given = _arguments.prepare(q, k, v, mask, attn_bias, options)
        run = self._run if self._has_plain_parts() else self._run_parts
        out = _attend(given, partial(run, options))
        out = out[:, :, :q.shape[-2]]
        return out.reshape(*q.shape[:-1], v.shape[-1])

    def _has_plain_parts(self) -> bool:
        return (_blocks.is_plain(self.dropout, nn.Dropout)
                and (self.rel_pos is None
                     or _blocks.is_plain(self.rel_pos, SinusoidalEmbeddings)))

    def _run(self, o: Options, *given: Optional[Tensor]) -> Tensor:
        p = self.dropout.p if self.dropout.training else 0.0
        dropout = (_dropout.draw_seed(), p) if p > 0 else ()
        return _ops.local_attention(*given, *self.rotary_buffers(), *o, *dropout)

    def _run_parts(self, o: Options, *given: Optional[Tensor]) -> Tensor:
        """Calls the parts, which have hooks or were replaced, as the package does."""
        def drop(weights: Tensor, *_: Tensor) -> Tensor:
            return self.dropout(weights.flatten(0, 1)).view_as(weights)

        def rotate(queries: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
            angle, scale = self.rel_pos(keys.flatten(0, 1))
            return apply_rotary_pos_emb(queries, keys, angle, scale)
        return _eager.local_attention(*given, None, None, o, drop,
                                      rotate if self.rel_pos is not None else None)


def _attend(given: _arguments.Arguments, run: Callable[..., Tensor]) -> Tensor:
    q, k, v, mask, bias = given
    if bias is None or q.shape[1] % bias.shape[0] == 0:
        return run(*given)
    # A row of the mask ends within a set of heads of the bias.
    heads = q.shape[1]
    rows = []
    for row in range(q.shape[0]):
        at = torch.arange(row * heads, (row + 1) * heads) % bias.shape[0]
        one = slice(row, row + 1)
        rows.append(run(q[one], k[one], v[one],
                        None if mask is None else mask[one], bias[at]))
    return torch.cat(rows)
