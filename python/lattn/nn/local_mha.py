"""LocalMHA."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .._checks import element
from .._local_kernels import start_kernel
from . import (_arguments, _cache, _decode, _linear, _norms, _rows,
               _upstream)
from ._errors import EinopsError, require, require_cpu
from .local_attention import LocalAttention

# Keys and values, stacked or as a pair.
Cache = Union[Tensor, Sequence[Tensor]]


class LocalMHA(nn.Module):
    """Multi-head attention in blocks, with its projections: the local-attention
    package's module.

    All arguments are given by name. Arguments that are not listed here go to
    LocalAttention.

    Args:
      dim: size of the input and of the output.
      window_size: length of a block.
      dim_head: size of a head.
      heads: number of heads.
      dropout: ignored, as the package ignores it.
      prenorm: normalises the input by a LayerNorm first.
      qk_rmsnorm: L2-normalises queries and keys, and multiplies them by
        learned vectors.
      qk_scale: the factor of scores with qk_rmsnorm.
      use_xpos, xpos_scale_base, causal: as in LocalAttention.
      exact_windowsize: as in LocalAttention; None is True.
      gate_values_per_head: multiplies each head by a sigmoid of the input.
      upstream_cache: True makes cached steps those of the package, whose
        numbers differ from those of the whole sequence. With False they agree.
    """

    def __init__(
            self, *, dim: int, window_size: int, dim_head: int = 64,
            heads: int = 8, dropout: float = 0.0, causal: bool = False,
            prenorm: bool = False, qk_rmsnorm: bool = False,
            qk_scale: Union[float, Tensor] = 8, use_xpos: bool = False,
            xpos_scale_base: Optional[float] = None,
            exact_windowsize: Optional[bool] = None,
            gate_values_per_head: bool = False, upstream_cache: bool = False,
            **kwargs: Any) -> None:
        super().__init__()
        inner = dim_head * heads
        self.norm = nn.LayerNorm(dim) if prenorm else None
        self.heads = heads
        self.to_qkv = nn.Linear(dim, inner * 3, bias=False)
        self.qk_rmsnorm = qk_rmsnorm
        if qk_rmsnorm:
            self.q_scale = nn.Parameter(torch.ones(dim_head))
            self.k_scale = nn.Parameter(torch.ones(dim_head))
        self.causal = causal
        self.window_size = window_size
        self.exact_windowsize = exact_windowsize is None or exact_windowsize
        self.upstream_cache = upstream_cache
        self.attn_fn = LocalAttention(
            dim=dim_head, window_size=window_size, causal=causal, autopad=True,
            scale=qk_scale if qk_rmsnorm else None,
            exact_windowsize=self.exact_windowsize, use_xpos=use_xpos,
            xpos_scale_base=xpos_scale_base, **kwargs)
        self.to_v_gate = (nn.Sequential(nn.Linear(dim, heads))
                          if gate_values_per_head else None)
        self.to_out = nn.Linear(inner, dim, bias=False)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None,
                attn_bias: Optional[Tensor] = None,
                cache: Optional[Cache] = None, return_cache: bool = False
                ) -> Union[Tensor, tuple[Tensor, Tensor]]:
        """x (B, N, dim) to (B, N, dim), or to (that, cache).

        Args:
          mask: (B, N) of bool, True takes part.
          attn_bias: (H, window_size, slots), added to the scores.
          cache: that of the positions before. N must then be 1, the module causal,
            and mask None.
          return_cache: keys and values (2, B, H, rows, dim_head) that later
            positions can see.
        """
        require_cpu("x", x.device)
        if x.dim() != 3:
            raise EinopsError("x: expected the shape (batch, length, dim), got "
                              f"{tuple(x.shape)}")
        norm = self.norm
        if norm is not None and self.to_v_gate is not None:
            x, norm = _norms.apply(x, norm), None  # gates see it, too
        q, k, v = self._project(x, norm)
        if cache is None:
            out = self.attn_fn(q, k, v, mask=mask, attn_bias=attn_bias)
            new = self._start_cache(k, v) if return_cache else None
        else:
            require(x.shape[1] == 1)
            require(self.causal and mask is None,
                    "only allow caching for specific configuration")
            out, new = self._step(q, k, v, cache, attn_bias)
        out = self._finish(out, x)
        return (out, new) if return_cache else out

    def _project(self, x: Tensor, norm: Optional[nn.Module]
                 ) -> tuple[Tensor, ...]:
        """Queries, keys, values (B, H, N, D) of one product."""
        scales = self._scales()
        fits = _rows.fits(x, self.to_qkv, norm, scales)
        if fits:
            self._start_attention(x)
        packed = _rows.project(x, self.to_qkv, norm, scales if fits else None)
        packed = packed.unflatten(-1, (3, self.heads, -1))
        q, k, v = (part.transpose(1, 2) for part in packed.unbind(2))
        if self.qk_rmsnorm and not fits:
            q = F.normalize(q, dim=-1) * self.q_scale
            k = F.normalize(k, dim=-1) * self.k_scale
        return _arguments.unify(q, k, v)

    def _scales(self) -> Optional[Tensor]:
        if not self.qk_rmsnorm:
            return None
        return torch.stack((self.q_scale, self.k_scale))

    def start_kernels(self, x: Tensor) -> None:
        """Begins to compile what forward(x) runs."""
        norm = self.norm if self.to_v_gate is None else None
        scales = self._scales()
        if _rows.fits(x, self.to_qkv, norm, scales):
            _rows.start(x, self.to_qkv, norm, scales)
            self._start_attention(x)
            _rows.start(x, self.to_out, None)
        elif _linear.fits(x, self.to_qkv):
            _linear.start(element(x))

    def _start_attention(self, x: Tensor) -> None:
        size = self.to_qkv.weight.shape[0] // (3 * self.heads)
        start_kernel(element(x), size, self.attn_fn.options(size), x.shape[1])

    def _start_cache(self, k: Tensor, v: Tensor) -> Tensor:
        if self.upstream_cache or not self.causal:
            return torch.stack((k, v))
        return _cache.start(k, v, self.attn_fn.options(k.shape[-1]))

    def _step(self, q: Tensor, k: Tensor, v: Tensor, cache: Cache,
              bias: Optional[Tensor]) -> tuple[Tensor, Tensor]:
        if not isinstance(cache, Tensor):
            cache = torch.stack(tuple(cache))
        if self.upstream_cache:
            return _upstream.step(q, k, v, cache, bias, self.attn_fn)
        return _decode.step(self.attn_fn.scale_query(q), k, v, cache, bias,
                            self.attn_fn.options(q.shape[-1]),
                            self.attn_fn.rotary_buffers())

    def _finish(self, out: Tensor, x: Tensor) -> Tensor:
        if self.to_v_gate is not None:
            gates = self.to_v_gate(x).transpose(1, 2)[..., None]
            out = out * gates.sigmoid()
        return _rows.project(out.transpose(1, 2).flatten(2).to(x.dtype),
                             self.to_out)
