"""Implementations of attention, lattn among them.

A peer is a function of (workload, arrays, threads) that returns a Prepared or
raises Skip where it does not do such a workload.
"""

import dataclasses
import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

MODULES = ("of_lattn", "of_torch", "of_flex", "of_local_attention",
           "of_onnxruntime", "of_openvino", "of_jax")
# Those that also compute gradients here.
TRAINING = ("lattn", "torch-sdpa", "torch-sdpa-blocks", "torch-sdpa-blocks-compiled",
            "local-attention", "local-attention-compiled")
# (name, what it needs installed, function), in the order of reports.
_PEERS = []


class Skip(Exception):
    """Why an implementation does not do a workload."""


@dataclasses.dataclass
class Prepared:
    call: Callable[[], Any]                   # what is timed
    # Of what it returns: (B, H, N, Dv), or in training all gradients in one axis.
    result: Callable[[Any], np.ndarray]


def peer(name, *needs):
    def register(prepare):
        _PEERS.append((name, needs, prepare))
        return prepare
    return register


def skip_unless(condition, reason):
    if not condition:
        raise Skip(reason)


def load():
    """{name: (needs, prepare)}. Imports none of the implementations."""
    for module in MODULES:
        importlib.import_module(f"peers.{module}")
    return {name: (needs, prepare) for name, needs, prepare in _PEERS}


def missing(needs):
    """The packages among `needs` that are not installed."""
    return [name for name in needs if importlib.util.find_spec(name) is None]
