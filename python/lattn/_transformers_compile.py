"""What the functions of transformers' masks hold, where torch.compile reads the code. It
shows the attributes of a function that a graph makes, but not its closure. So these
functions keep the arguments that they were made of. Outside of torch.compile nothing
changes."""

from __future__ import annotations

import inspect
import types
from typing import Any, Callable

import torch
from transformers import masking_utils as _utils

if ("q_offset" not in inspect.signature(_utils.sdpa_mask).parameters
        or not hasattr(_utils, "remap_positions_for_packed_sequence")):
    raise ImportError("masks without q_offset and positions of packed sequences")

_NAME = "_lattn_arguments"


def _keep_arguments(make: Callable) -> None:
    """Calls of `make` in graphs give their functions the arguments as an attribute."""
    original = types.FunctionType(make.__code__, make.__globals__, make.__name__,
                                  make.__defaults__, make.__closure__)
    code = make.__code__
    names = code.co_varnames[:code.co_argcount]
    rest = None if names else code.co_varnames[0]  # *mask_functions

    def substitute(*arguments: Any, **named: Any) -> Any:
        function = original(*arguments, **named)
        kept = {rest: arguments} if rest else {
            **dict(zip(names, arguments)), **named}
        setattr(function, _NAME, kept)
        return function

    torch.compiler.substitute_in_graph(make, skip_signature_check=True)(substitute)


for _make in (_utils.and_masks, _utils.or_masks, _utils.sliding_window_overlay,
              _utils.sliding_window_bidirectional_overlay, _utils.chunked_overlay,
              _utils.packed_sequence_mask_function,
              _utils.remap_positions_for_packed_sequence):
    _keep_arguments(_make)


def get_closure(function: Any) -> dict[str, Any]:
    """What a mask function holds, by names."""
    kept = getattr(function, _NAME, None)
    if kept is not None:
        return kept
    return dict(zip(function.__code__.co_freevars, (
        cell.cell_contents for cell in function.__closure__ or ())))
