"""LocalTransformer."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import Any, NamedTuple, Optional, Sequence, Union

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from . import _blocks, _generate, _layer, _residual, _rows
from ._errors import require, require_cpu
from ._feed_forward import feed_forward
from .dynamic_position_bias import DynamicPositionBias
from .local_mha import LocalMHA


class Cache(NamedTuple):
    cache_kv: list[Tensor]
    maybe_cached_attn_bias: Optional[Tensor]


class LocalTransformer(nn.Module):
    """Layers of LocalMHA and a feed-forward network: the local-attention
    package's module.

    All arguments are given by name. Arguments that are not listed here go to
    LocalMHA.

    Args:
      num_tokens: size of the vocabulary. None makes a module without embeddings
        and logits, from (B, N, dim) to (B, N, dim).
      max_seq_len: number of learned positions.
      dim: size of a token's vector.
      depth: number of layers.
      causal, dim_head, heads, use_xpos, xpos_scale_base: as in LocalMHA.
      local_attn_window_size: LocalMHA's window_size.
      ff_mult: hidden size of the feed-forward networks, in multiples of dim.
      attn_dropout: ignored, as the package ignores it.
      ff_dropout: dropout of the feed-forward networks.
      ignore_index: label that the loss leaves out.
      use_dynamic_pos_bias: a DynamicPositionBias instead of rotary embeddings.
      global_attn_layer: a module that is copied in front of some layers.
      layers_insert_global_attn: the numbers of these layers, from 1; None is all.
      num_residual_streams: streams of the hyper-connections; 1 is none.
    """

    def __init__(
            self, *, num_tokens: Optional[int], max_seq_len: int, dim: int,
            depth: int, causal: bool = True, local_attn_window_size: int = 512,
            dim_head: int = 64, heads: int = 8, ff_mult: float = 4,
            attn_dropout: float = 0.0, ff_dropout: float = 0.0,
            ignore_index: int = -1, use_xpos: bool = False,
            xpos_scale_base: Optional[float] = None,
            use_dynamic_pos_bias: bool = False,
            global_attn_layer: Optional[nn.Module] = None,
            layers_insert_global_attn: Optional[Sequence[int]] = None,
            num_residual_streams: int = 4, **kwargs: Any) -> None:
        super().__init__()
        # The order of construction is the package's: so is the initial state.
        self.has_embed_unembed = num_tokens is not None
        if num_tokens is not None:
            self.token_emb = nn.Embedding(num_tokens, dim)
            self.pos_emb = nn.Embedding(max_seq_len, dim)
        self.max_seq_len = max_seq_len
        self.layers = nn.ModuleList()
        self.local_attn_window_size = local_attn_window_size
        self.num_residual_streams = num_residual_streams
        self.dynamic_pos_bias = (
            DynamicPositionBias(dim=dim // 2, heads=heads)
            if use_dynamic_pos_bias else None)
        wrap = (_residual.Residual if num_residual_streams == 1 else
                partial(_residual.HyperConnections, num_residual_streams))
        chosen = (range(1, depth + 1) if layers_insert_global_attn is None
                  else layers_insert_global_attn)
        require(all(0 < layer <= depth for layer in chosen))
        self.global_layers = nn.ModuleList()
        for layer in range(1, depth + 1):
            has_global = global_attn_layer is not None and layer in chosen
            self.global_layers.append(
                wrap(dim=dim, branch=deepcopy(global_attn_layer))
                if has_global else None)
            attention = LocalMHA(
                dim=dim, dim_head=dim_head, heads=heads, dropout=attn_dropout,
                causal=causal, window_size=local_attn_window_size,
                use_xpos=use_xpos, xpos_scale_base=xpos_scale_base,
                use_rotary_pos_emb=not use_dynamic_pos_bias, prenorm=True,
                **kwargs)
            attention = wrap(dim=dim, branch=attention)
            network = wrap(dim=dim, branch=feed_forward(dim, ff_mult,
                                                        ff_dropout))
            self.layers.append(nn.ModuleList([attention, network]))
        self.ignore_index = ignore_index
        if num_tokens is not None:
            self.to_logits = nn.Sequential(
                nn.LayerNorm(dim), nn.Linear(dim, num_tokens, bias=False))

    def forward(self, x: Tensor, mask: Optional[Tensor] = None,
                cache: Optional[tuple[Sequence[Tensor],
                                      Optional[Tensor]]] = None,
                return_loss: bool = False, return_cache: bool = False
                ) -> Union[Tensor, tuple[Tensor, Cache]]:
        """Tokens (B, N) to logits (B, N, num_tokens).

        Args:
          mask: (B, N) of bool. False hides the token.
          cache: the cache of all tokens but the last. The logits are then those of
            the last token.
          return_loss: returns the mean cross entropy of each token's successor.
          return_cache: returns (logits, cache).
        """
        require_cpu("x", x.device)
        if return_loss:
            x, labels = x[:, :-1], x[:, 1:]
        kept, bias = cache if cache is not None else (None, None)
        first = 0 if cache is None else x.shape[1] - 1
        x = x[:, first:]
        if self.has_embed_unembed:
            require(first + x.shape[1] <= self.max_seq_len)
            x = self.token_emb(x)
        if bias is None and self.dynamic_pos_bias is not None:
            window = self.local_attn_window_size
            bias = self.dynamic_pos_bias(window, window * 2)
        is_step = kept is not None and _layer.takes(x, mask, bias)
        if is_step:
            kept = [kept[i] for i in range(len(self.layers))]
        found = self._step(x, first, kept) if is_step else None
        if found is None:
            if self.has_embed_unembed:
                x = x + self.pos_emb(torch.arange(first, first + x.shape[1],
                                                  device=x.device))
            x = _residual.expand_streams(x, self.num_residual_streams)
            found = (self._step_layers(x, kept) if is_step else
                     self._run_layers(x, mask, bias, kept, return_cache))
        x, new = found
        if not self.has_embed_unembed:
            return x
        if return_loss:
            return F.cross_entropy(x.transpose(1, 2), labels,
                                   ignore_index=self.ignore_index)
        return (x, Cache(new, bias)) if return_cache else x

    def _read_out(self, x: Tensor) -> Tensor:
        """Streams to logits, or to their sum where there are no tokens."""
        x = _residual.reduce_streams(x, self.num_residual_streams)
        if not self.has_embed_unembed:
            return x
        if (not torch.compiler.is_compiling() and len(self.to_logits) == 2
                and _blocks.is_plain(self.to_logits, nn.Sequential)):
            norm, layer = self.to_logits
            return _rows.project(x, layer, norm)
        return self.to_logits(x)

    def _run_layers(self, x: Tensor, mask: Optional[Tensor],
                    bias: Optional[Tensor], kept: Optional[Sequence[Tensor]],
                    return_cache: bool) -> tuple[Tensor, list[Tensor]]:
        new = []
        if self.layers and kept is None and not torch.compiler.is_compiling():
            for module in self.layers[0]:  # others have the same kernels
                module.start_kernels(x)
        for i, (layer, extra) in enumerate(zip(self.layers,
                                               self.global_layers)):
            if extra is not None:
                x = extra(x)
            x, cache = self._run_layer(
                x, layer, mask=mask, attn_bias=bias, return_cache=return_cache,
                cache=kept[i] if kept is not None else None)
            new += cache
        return self._read_out(x), new

    def _run_layer(self, x: Tensor, layer: nn.Module, **options: Any
                   ) -> tuple[Tensor, list[Tensor]]:
        attention, network = layer
        x, new = attention(x, **options), []
        if options["return_cache"]:
            x, cache = x
            new.append(cache)
        return network(x), new

    def _step(self, x: Tensor, position: int, kept: Sequence[Tensor]
              ) -> Optional[tuple[Tensor, list[Tensor]]]:
        """All layers for one position, x a row of token_emb where there are
        tokens, as one kernel where that computes what modules do."""
        if not self.layers or any(extra is not None
                                  for extra in self.global_layers):
            return None
        ends, streams = None, self.num_residual_streams
        if self.has_embed_unembed:
            ends = _layer.Ends(self.pos_emb, position, self.to_logits)
        else:
            # It is somebody else's.
            x = _residual.expand_streams(x, streams) if streams > 1 else x.clone()
        found = _layer.step(x, list(self.layers), streams, kept, ends)
        if found is None or ends is not None:
            return found
        return _residual.reduce_streams(found[0], streams), found[1]

    def _step_layers(self, x: Tensor, kept: Sequence[Tensor]
                     ) -> tuple[Tensor, list[Tensor]]:
        """The same, each layer that does as a kernel."""
        streams, new = self.num_residual_streams, []
        if streams == 1:
            x = x.clone()
        layers = zip(self.layers, self.global_layers, kept)
        for layer, extra, cache in layers:
            if extra is not None:
                x = extra(x)
                x = x.clone() if streams == 1 else x
            found = _layer.step(x, [layer], streams, [cache])
            if found is None:
                found = self._run_layer(x, layer, cache=cache,
                                        return_cache=True)
            x = found[0]
            new += found[1]
        return self._read_out(x), new

    @torch.no_grad()
    def generate(self, prime: Tensor, seq_len: int, temperature: float = 1.0,
                 filter_thres: float = 0.9, use_kv_cache: bool = True,
                 **kwargs: Any) -> Tensor:
        """seq_len tokens (B, seq_len) that follow prime (B, N).

        Args:
          temperature: 0 takes the likeliest.
          filter_thres: draws from the int((1 - filter_thres) * V) likeliest of V
            tokens.
          use_kv_cache: False computes the whole sequence for each token.
          Others go to forward.
        """
        require(self.has_embed_unembed)
        require(temperature >= 0.0)
        was_training = self.training
        self.eval()
        try:
            return _generate.generate(
                lambda tokens, cache: self.forward(
                    tokens, cache=cache, return_cache=True, **kwargs),
                prime, seq_len, self.max_seq_len,
                lambda logits: _generate.sample(logits, temperature,
                                                filter_thres), use_kv_cache)
        finally:
            self.train(was_training)
