"""Layers of transformers' models whose projections, norms, rotary embeddings and
feed-forward networks are lattn's kernels."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import logging
import types
from typing import Any, Callable, Iterator, NamedTuple, Optional

import torch
from torch import Tensor, nn
from torch.nn.modules import module as _modules
from transformers.activations import ACT2FN

from .nn import _blocks, _gated, _linear, _norms, _rotate

_LOG = logging.getLogger("lattn.transformers")
_MARK = "_is_of_lattn"
# Below, calling torch's few operations takes less than a kernel's arrays.
_LEAST_ROTATED = 32


class _Norm(NamedTuple):
    epsilon: str  # the attribute's name
    centered: bool = False
    added: float = 0.0  # to the weight


class _Network(NamedTuple):
    """Names of attributes. Without `up`, `gate` holds both, one after the other."""

    gate: str
    up: Optional[str]
    down: str
    act: str
    drop: Optional[str] = None


_RMS, _GEMMA = _Norm("variance_epsilon"), _Norm("eps", added=1.0)
_GATED = _Network("gate_proj", "up_proj", "down_proj", "act_fn")


class _Family(NamedTuple):
    """Classes of a module of transformers.models have names with this prefix."""

    prefix: str
    norm: Optional[tuple[str, _Norm]] = ("RMSNorm", _RMS)
    network: Optional[_Network] = _GATED
    rotary: Optional[str] = "halves"  # how tables are stored
    norms: tuple[str, ...] = ()


# By modules of transformers.models.
_FAMILIES = {
    "llama": _Family("Llama"),
    "mistral": _Family("Mistral"),
    "qwen2": _Family("Qwen2"),
    "qwen3": _Family("Qwen3"),
    "gemma2": _Family("Gemma2", ("RMSNorm", _GEMMA)),
    "gemma3": _Family("Gemma3", ("RMSNorm", _GEMMA)),
    "phi3": _Family("Phi3", network=_Network(
        "gate_up_proj", None, "down_proj", "activation_fn")),
    "gpt_oss": _Family("GptOss", network=None, rotary="pairs"),
    # Its pairs are neighbours: torch rotates them.
    "cohere2": _Family("Cohere2", (
        "LayerNorm", _Norm("variance_epsilon", centered=True)), rotary=None),
    # nn.LayerNorm stays torch's, one kernel already.
    "modernbert": _Family("ModernBert", None, _Network(
        "Wi", None, "Wo", "act", "drop")),
}
_ACTIVATIONS = {type(ACT2FN[name]): name for name in _gated.ACTIVATIONS}


@dataclasses.dataclass
class Summary:
    """What optimize() did: names of the model's modules.

    Attributes:
      projections: linear layers.
      norms: RMS and layer norms.
      rotary: attentions that rotate queries and keys.
      networks: feed-forward networks that are one kernel without gradients.
      left: the reason for each module that PyTorch still computes.
    """

    projections: list[str] = dataclasses.field(default_factory=list)
    norms: list[str] = dataclasses.field(default_factory=list)
    rotary: list[str] = dataclasses.field(default_factory=list)
    networks: list[str] = dataclasses.field(default_factory=list)
    left: dict[str, str] = dataclasses.field(default_factory=dict)

    def __str__(self) -> str:
        counts = ", ".join(f"{len(getattr(self, name))} {name}" for name in (
            "projections", "norms", "rotary", "networks"))
        return "\n".join([f"lattn.transformers.optimize: {counts}", *(
            f"left to PyTorch: {name}: {reason}"
            for name, reason in self.left.items())])


def _plain(module: nn.Module) -> Callable[..., Any]:
    """What its class computes."""
    return types.MethodType(type(module).forward, module)


def _is_plain_tensor(x: Tensor) -> bool:
    return type(x) in (Tensor, nn.Parameter)


def _of_lattn(function: Callable[..., Any]) -> Callable[..., Any]:
    # Pickled methods are found by their name: the module is plain when loaded.
    function.__name__ = "forward"
    setattr(function, _MARK, True)
    return function


def is_optimized(module: nn.Module) -> bool:
    return hasattr(getattr(vars(module).get("forward"), "__func__", None), _MARK)


def _project(self: nn.Linear, input: Tensor) -> Tensor:
    weight, bias = self.weight, self.bias
    if (not torch.compiler.is_compiling() and _is_plain_tensor(weight)
            and _linear.takes(input, weight, bias)):
        return _linear.compute(input, weight, bias)
    return _plain(self)(input)


_of_lattn(_project)


def _make_norm(norm: _Norm) -> Callable[..., Tensor]:
    def forward(self: nn.Module, hidden_states: Tensor) -> Tensor:
        if (torch.compiler.is_compiling()
                or not _norms.fits(hidden_states, self.weight)):
            return _plain(self)(hidden_states)
        return _norms.compute(hidden_states, self.weight,
                              getattr(self, norm.epsilon),
                              centered=norm.centered, added=norm.added)

    return _of_lattn(forward)


def _are_as_optimized(*layers: nn.Module) -> bool:
    """Whether calling the layers would compute only their products."""
    return not _modules._has_any_global_hook() and all(
        type(x) is nn.Linear and is_optimized(x) and not x._forward_hooks
        and not x._forward_pre_hooks and _is_plain_tensor(x.weight)
        for x in layers)


def _weights(module: nn.Module, names: _Network) -> Optional[_gated.Weights]:
    """None if calling the network would compute something else."""
    gate, down = getattr(module, names.gate), getattr(module, names.down)
    drop = names.drop and getattr(module, names.drop)
    if names.up is None:
        if not _are_as_optimized(gate, down):
            return None
        halves = gate.weight.chunk(2)
        biases = (None, None) if gate.bias is None else gate.bias.chunk(2)
    else:
        up = getattr(module, names.up)
        if not _are_as_optimized(gate, up, down):
            return None
        halves, biases = (gate.weight, up.weight), (gate.bias, up.bias)
    if drop and drop.training and drop.p > 0:
        return None
    return _gated.Weights(*halves, down.weight, *biases, down.bias)


def _make_network(names: _Network) -> Callable[..., Tensor]:
    def forward(self: nn.Module, hidden_states: Tensor) -> Tensor:
        if not torch.compiler.is_compiling():
            weights = _weights(self, names)
            act = _ACTIVATIONS.get(type(getattr(self, names.act)))
            if (weights is not None and act is not None
                    and _gated.fits(hidden_states, weights)):
                return _gated.compute(hidden_states, weights, act)
        return _plain(self)(hidden_states)

    return _of_lattn(forward)


def _make_rotary(function: Callable[..., Any], is_half: bool
                 ) -> Callable[..., Any]:
    def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor,
                             unsqueeze_dim: int = 1) -> tuple[Tensor, Tensor]:
        if (torch.compiler.is_compiling() or unsqueeze_dim != 1
                or q.shape[0] * q.shape[2] < _LEAST_ROTATED
                or not _rotate.fits(q, k, cos, sin)):
            return function(q, k, cos, sin, unsqueeze_dim)
        return _rotate.compute(q, k, cos, sin, is_half)

    return apply_rotary_pos_emb


def _make_attention(cls: type, is_half: bool) -> Optional[Callable[..., Any]]:
    """The class's forward with another rotary embedding; None where its code is
    not a plain function of it."""
    forward, name = cls.forward, "apply_rotary_pos_emb"
    if (not inspect.isfunction(forward) or forward.__closure__
            or name not in forward.__code__.co_names):
        return None
    known = {**forward.__globals__,
             name: _make_rotary(forward.__globals__[name], is_half)}
    made = types.FunctionType(forward.__code__, known, forward.__name__,
                              forward.__defaults__)
    made.__kwdefaults__ = forward.__kwdefaults__
    return _of_lattn(made)


class _Kind(NamedTuple):
    """What is made of a class of modules."""

    part: str  # of Summary
    forward: Optional[Callable[..., Any]]
    layers: tuple[str, ...] = ()  # names of its linear layers
    act: Optional[str] = None


_PROJECTIONS = "q_proj", "k_proj", "v_proj", "o_proj", "qkv_proj", "Wqkv", "Wo"
_kinds: dict[type, _Kind] = {}


def _fill_kinds() -> None:
    for model, family in _FAMILIES.items():
        module = importlib.import_module(
            f"transformers.models.{model}.modeling_{model}")

        def find(name: str) -> type:
            return getattr(module, family.prefix + name)
        attention = find("Attention")
        _kinds[attention] = _Kind("rotary", family.rotary and _make_attention(
            attention, family.rotary == "pairs"), _PROJECTIONS)
        if family.norm is not None:
            name, norm = family.norm
            _kinds[find(name)] = _Kind("norms", _make_norm(norm))
        if family.network is not None:
            names = family.network
            _kinds[find("MLP")] = _Kind(
                "networks", _make_network(names),
                tuple(x for x in (names.gate, names.up, names.down) if x),
                names.act)


def supported() -> str:
    return ", ".join(family.prefix for family in _FAMILIES.values())


def _reason(module: nn.Module, kind: type) -> Optional[str]:
    """Why the module is not only what its class says."""
    if type(module) is not kind:
        return f"expected {kind.__name__}, got {type(module).__name__}"
    if "forward" in vars(module) and not is_optimized(module):
        return "its forward was replaced"
    if module._forward_hooks or module._forward_pre_hooks:
        return "it has hooks"
    for name, parameter in module._parameters.items():
        if parameter is not None and not _is_plain_tensor(parameter):
            return f"{name} is a {type(parameter).__name__}, no plain tensor"
    return None


def _replace(module: nn.Module, forward: Callable[..., Any]) -> None:
    if not is_optimized(module):
        module.forward = types.MethodType(forward, module)


def _optimize_layer(name: str, layer: nn.Module, summary: Summary) -> None:
    reason = _reason(layer, nn.Linear)
    if reason is None and not layer.weight.is_floating_point():
        reason = f"weight is of {layer.weight.dtype}"
    if reason is not None:
        summary.left[name] = reason
        return
    _replace(layer, _project)
    summary.projections.append(name)


def _optimize_module(name: str, module: nn.Module, kind: _Kind,
                     summary: Summary) -> None:
    for layer in kind.layers:
        if hasattr(module, layer):
            _optimize_layer(f"{name}.{layer}", getattr(module, layer), summary)
    reason = _reason(module, type(module))
    if reason is None and kind.forward is None:
        reason = "no kernel rotates pairs of neighbours"
    if reason is None and kind.act is not None:
        act = getattr(module, kind.act)
        if type(act) not in _ACTIVATIONS:
            reason = (f"its activation is {type(act).__name__}; expected one of "
                      + ", ".join(_gated.ACTIVATIONS))
        elif not _are_as_optimized(*(getattr(module, x) for x in kind.layers)):
            reason = "its linear layers are not plain"
    if reason is not None:
        summary.left[name] = reason
        return
    _replace(module, kind.forward)
    getattr(summary, kind.part).append(name)


def _found(model: nn.Module) -> Iterator[tuple[str, nn.Module, _Kind]]:
    if not _kinds:
        _fill_kinds()
    for name, module in model.named_modules():
        kind = _kinds.get(type(module))
        if kind is not None:
            yield name, module, kind


def _find_head(model: nn.Module) -> Optional[tuple[str, nn.Module]]:
    """The layer of the logits."""
    get = getattr(model, "get_output_embeddings", None)
    head = None if get is None else get()
    return next(((name, x) for name, x in model.named_modules()
                 if x is head), None) if isinstance(head, nn.Module) else None


def optimize(model: nn.Module) -> Summary:
    """Lets lattn's kernels compute the projections, norms, rotary embeddings and
    feed-forward networks of a model's layers, until restore(model).

    Parameters, the state_dict and what save_pretrained writes stay as they are. The
    kernels take float32, bfloat16 and float16 on a CPU. If gradients are needed, they
    compute products and norms, and PyTorch computes the rest. PyTorch computes all of
    it under torch.compile, autocast and transforms, and for fewer rows than a kernel
    is for. Modules with hooks, adapters or quantised weights stay as they are.

    Args:
      model: with layers of Llama, Mistral, Qwen2, Qwen3, Gemma2, Gemma3, Phi3,
        GptOss (without its experts), Cohere2 or ModernBert.

    Returns:
      A Summary: which modules are lattn's, and the reason for each that is not.
      A second call changes nothing and returns the same.

    Raises:
      TypeError: model is no torch.nn.Module. NotImplementedError: it has no layer
        of these classes.
    """
    if not isinstance(model, nn.Module):
        raise TypeError("lattn.transformers.optimize: model: expected a "
                        f"torch.nn.Module, got {type(model).__name__}")
    summary = Summary()
    found = list(_found(model))
    if not any(kind.part == "rotary" for _, _, kind in found):
        raise NotImplementedError(
            "lattn.transformers.optimize: model: expected layers of "
            f"{supported()}; got {type(model).__name__}, which has none of them")
    for name, module, kind in found:
        _optimize_module(name, module, kind, summary)
    head = _find_head(model)
    if head is not None:
        _optimize_layer(*head, summary)
    _LOG.info("%s", summary)
    return summary


def restore(model: nn.Module) -> None:
    """Undoes optimize(model): each module computes what its class does, bit for
    bit. A model that was not optimised stays as it is.

    Raises:
      TypeError: model is no torch.nn.Module.
    """
    if not isinstance(model, nn.Module):
        raise TypeError("lattn.transformers.restore: model: expected a "
                        f"torch.nn.Module, got {type(model).__name__}")
    for module in model.modules():
        if is_optimized(module):
            del module.forward
