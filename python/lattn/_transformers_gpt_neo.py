"""GPT-Neo with attn_implementation="lattn". Its layers choose a class by the name of
the implementation and do not ask AttentionInterface. Scores have no scale, and every
second layer sees config.window_size keys."""

from __future__ import annotations

from typing import Any, Callable

import torch
from transformers.models.gpt_neo import modeling_gpt_neo as _gpt_neo

from ._transformers_masks import Mask


def register(attend: Callable) -> None:
    """Makes "lattn" one of GPT-Neo's classes. `attend` is the function that is
    registered for other models. Does nothing if GPT-Neo has no such classes."""
    classes = getattr(_gpt_neo, "GPT_NEO_ATTENTION_CLASSES", None)
    if classes is None:
        return

    class LattnSelfAttention(_gpt_neo.GPTNeoSelfAttention):
        def _attn(self, query: torch.Tensor, key: torch.Tensor,
                  value: torch.Tensor, attention_mask: Any = None
                  ) -> tuple[torch.Tensor, None]:
            left = (self.config.window_size - 1 if self.attention_type == "local"
                    else None)
            if isinstance(attention_mask, Mask):
                attention_mask = attention_mask.within(left)
            elif attention_mask is not None:  # the caller's, which hides more keys
                n, m = query.shape[2], key.shape[2]
                visible = self.bias[:, :, m - n:m, :m]
                attention_mask = attention_mask.masked_fill(
                    ~visible, torch.finfo(attention_mask.dtype).min)
            out, _ = attend(self, query, key, value, attention_mask, scaling=1.0,
                            dropout=self.attn_dropout.p if self.training else 0.0)
            return out.transpose(1, 2), None

    classes["lattn"] = LattnSelfAttention
