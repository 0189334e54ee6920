"""Continuous batching of transformers with lattn: requests of different lengths share
each forward pass, and their keys and values lie in a paged cache.

transformers checks the name of the implementation when it makes a manager, and decides
about dense masks when the manager starts. Between the two, the model changes to
lattn."""

from __future__ import annotations

import contextlib
import threading
import weakref
from typing import Any, Iterator, Mapping, Optional

import torch
from torch import Tensor
from transformers import GenerationConfig, PreTrainedModel
from transformers.generation.configuration_utils import ContinuousBatchingConfig
from transformers.generation.continuous_batching import (
    ContinuousBatchingManager, ContinuousMixin, PagedAttentionCache)

from ._attention import attention

_running: weakref.WeakSet[PreTrainedModel] = weakref.WeakSet()
_lock = threading.Lock()


def generate_batch(
        model: PreTrainedModel, inputs: list[list[int]],
        generation_config: Optional[GenerationConfig] = None,
        continuous_batching_config: Optional[ContinuousBatchingConfig] = None,
        max_new_tokens: Optional[int] = None, record_timestamps: bool = False,
        progress_bar: bool = False) -> dict[str, Any]:
    """model.generate_batch(...) of transformers, with lattn's attention.

    Args:
      model: a model that generates text, on a CPU, with any attention
        implementation. The call switches it to "lattn" and restores it in the end.
      inputs: the tokens of each prompt.
      generation_config, continuous_batching_config, max_new_tokens,
        record_timestamps, progress_bar: as in transformers.

    Returns:
      transformers' GenerationOutput of each request, by its name, in the order of
      `inputs`. A request that failed has the message in its `error`.

    Raises:
      NotImplementedError: lattn does not support the model, its device or an option.
      RuntimeError, ValueError: another manager of continuous batching uses the model.
      TypeError: the model generates no text, or prompts are no lists of tokens.
    """
    _check_prompts(inputs)
    with _switched(model, generation_config) as batching:
        return batching.generate_batch(
            inputs, generation_config=generation_config,
            continuous_batching_config=continuous_batching_config,
            record_timestamps=record_timestamps, progress_bar=progress_bar,
            max_new_tokens=max_new_tokens)


@contextlib.contextmanager
def continuous_batching(
        model: PreTrainedModel,
        generation_config: Optional[GenerationConfig] = None,
        continuous_batching_config: Optional[ContinuousBatchingConfig] = None,
        workload_hints: Optional[Any] = None
        ) -> Iterator[ContinuousBatchingManager]:
    """model.continuous_batching_context_manager(...) of transformers, with lattn's
    attention.

    The manager of the `with` block takes requests and gives results, also token by
    token. The end of the block waits for requests that run, and gives the model the
    implementation of attention that it had before. Arguments and errors are those of
    generate_batch().
    """
    with _switched(model, generation_config) as batching:
        with batching.continuous_batching_context_manager(
                generation_config=generation_config,
                continuous_batching_config=continuous_batching_config,
                workload_hints=workload_hints) as manager:
            yield manager


class _Batching(ContinuousMixin):
    """The interface of transformers around a model, whose managers run lattn."""

    def __init__(self, model: PreTrainedModel) -> None:
        self._model = model
        self.generation_config = model.generation_config

    def init_continuous_batching(self, *arguments: Any, **options: Any
                                 ) -> ContinuousBatchingManager:
        # transformers takes this name as it is for all models and makes no other of it.
        self._model.set_attn_implementation("paged|eager")
        manager = self._model.init_continuous_batching(*arguments, **options)
        if manager.batch_processor is not None:
            raise ValueError(
                "lattn.transformers: continuous batching: model: expected no manager "
                "that a call with persistent_manager=True kept, got one; call "
                "model.destroy_cached_continuous_batching_manager() first")
        resolved = manager.continuous_batching_config
        if (resolved.varlen_compile_config is not None
                or any(resolved.cuda_graph_booleans)):
            raise NotImplementedError(
                "lattn.transformers: continuous batching: expected no compiled "
                "functions and no graphs of GPUs, which need padded tokens; got "
                f"varlen_compile_config={resolved.varlen_compile_config}, "
                f"use_cuda_graph={resolved.use_cuda_graph}")
        self._model.set_attn_implementation("lattn")
        # The manager's thread writes to the cache that is made here, so that a lack of
        # memory raises an error here.
        with torch.inference_mode(False):
            manager.warmup()
        return manager


@contextlib.contextmanager
def _switched(model: PreTrainedModel,
              generation_config: Optional[GenerationConfig]) -> Iterator[_Batching]:
    """Checks the model, and gives it its implementation back in the end."""
    _check(model, generation_config)
    with _lock:
        if model in _running:
            raise RuntimeError("lattn.transformers: continuous batching: model: "
                               "another manager of lattn runs it")
        _running.add(model)
    before = _get_implementations(model.config)
    try:
        yield _Batching(model)
    finally:
        model.set_attn_implementation(before)
        _running.discard(model)


def _check(model: PreTrainedModel, generation_config: Optional[GenerationConfig]
           ) -> None:
    where = "lattn.transformers: continuous batching: "
    if not isinstance(model, PreTrainedModel) or not model.can_generate():
        raise TypeError(f"{where}model: expected a model of transformers that "
                        f"generates text, got {type(model).__name__}")
    if not model.is_backend_compatible():
        raise NotImplementedError(
            f"{where}model: expected one that hands the cache to the implementation "
            f"of attention, got {type(model).__name__}")
    if model.device.type != "cpu":
        raise NotImplementedError(f"{where}model: expected one on a CPU, got one on "
                                  f"{model.device}")
    for name, config in (("generation_config",
                          generation_config or model.generation_config),
                         ("model.config", model.config)):
        if getattr(config, "output_attentions", None):
            raise NotImplementedError(f"{where}{name}: output_attentions: the weights "
                                      "are never in memory")


def _check_prompts(prompts: list[list[int]]) -> None:
    for i, prompt in enumerate(prompts):
        wrong = [prompt] if not isinstance(prompt, list) else [
            token for token in prompt if not isinstance(token, int)]
        if wrong:
            raise TypeError(
                "lattn.transformers: continuous batching: inputs: expected a list of "
                "tokens (int) for each prompt, got "
                f"{type(wrong[0]).__name__} in prompt {i}")


def _get_implementations(config: Any, outer: Optional[str] = None) -> dict[str, Any]:
    """What set_attn_implementation() takes, of a configuration and those in it. One
    that no model has read says nothing, and gets the implementation around it."""
    own = config._attn_implementation or outer
    found: dict[str, Any] = {"": own}
    for name in config.sub_configs:
        inner = getattr(config, name, None)
        if inner is not None:
            found[name] = _get_implementations(inner, own)
    return found


def attend_in_batch(module: torch.nn.Module, query: Tensor, key: Tensor, value: Tensor,
                    cache: Any, others: Mapping[str, Any], **options: Any) -> Tensor:
    """The attention of one layer and one forward pass: (1, H, N, D) to (1, N, H, Dv).
    N are the new tokens of all requests, one request after another."""
    if not isinstance(cache, PagedAttentionCache):
        raise NotImplementedError(
            'attn_implementation="lattn": cache: expected a PagedAttentionCache of '
            f"transformers' continuous batching, got {type(cache).__name__}")
    if query.device.type != "cpu":
        raise NotImplementedError(
            'attn_implementation="lattn": continuous batching: query: expected a '
            f"tensor of a CPU, got one of {query.device}")
    if others.get("block_table") is not None:
        raise NotImplementedError(
            'attn_implementation="lattn": block_table: expected None, as transformers '
            "makes tables only for flash attention on GPUs")
    allocator = cache.layer_to_allocator[module.layer_idx]
    read_index = others["read_index"]
    in_pages = (allocator.supports_block_table
                and read_index[allocator.index].numel() > 0)
    asked = dict(others)
    if in_pages:  # without an index, update() writes and copies no keys
        asked["read_index"] = [x[:0] for x in read_index]
    key, value = cache.update(key_states=key, value_states=value,
                              layer_idx=module.layer_idx, kwargs=asked)
    borders = asked["cu_seq_lens_k"]
    if in_pages:
        key, value = allocator.get_cache_for_block_table(module.layer_idx)
        options["pages"] = _find_pages(read_index[allocator.index], borders,
                                       asked["max_length_k"], key.shape[1])
        options["kv_lengths"] = borders.diff()
    else:
        key, value = key.transpose(1, 2), value.transpose(1, 2)
        options["cu_seqlens_k"] = borders
    # A sliding layer's keys are those that the first new token sees, and the new ones.
    window = getattr(allocator, "sliding_window", None)
    return attention(
        query.transpose(1, 2), key, value, layout="bnhd",
        window=(None if window is None else window - 1, 0),
        cu_seqlens_q=others["cu_seq_lens_q"], **options)


def _find_pages(rows: Tensor, borders: Tensor, longest: int, size: int) -> Tensor:
    """The block table (requests, pages) of `rows`, the rows of the pool that have the
    keys of each request. Whole pages follow each other, so the first row of each tells
    which one it is."""
    firsts = borders[:-1, None] + torch.arange(0, longest, size)
    return rows[firsts.clamp_(max=len(rows) - 1)] // size
