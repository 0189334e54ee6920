"""Types of arguments and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Protocol, Union

import numpy as np

from ._symbols import Symbol


class DLPackArray(Protocol):
    """An array of torch or of any other library that has ``__dlpack__``."""

    def __dlpack__(self) -> object: ...


class CudaArray(Protocol):
    """An array on a GPU that has ``__cuda_array_interface__``."""

    @property
    def __cuda_array_interface__(self) -> Mapping[str, object]: ...


# What functions take as an array; torch.Tensor is a DLPackArray.
ArrayLike = Union[np.ndarray, DLPackArray, CudaArray]

if TYPE_CHECKING:
    # Which of them a result is depends on the values and types of arguments.
    Array = Any
    ArrayOrPair = Any
    # Symbols get their operators when lattn is imported.
    ScoreMod = Callable[[Any, Any, Any, Any, Any], Any]
    MaskMod = Callable[[Any, Any, Any, Any], Any]
else:
    class Array(Protocol):
        """A result: a torch.Tensor if the argument that the documentation names
        is one, else a numpy.ndarray."""

        shape: tuple[int, ...]
        dtype: object

        def __dlpack__(self) -> object: ...

    ArrayOrPair = Union[Array, tuple[Array, Array]]
    # (score, batch, head, q_idx, kv_idx) to the new score
    ScoreMod = Callable[[Symbol, Symbol, Symbol, Symbol, Symbol], Symbol]
    # (batch, head, q_idx, kv_idx) to whether the pair takes part
    MaskMod = Callable[[Symbol, Symbol, Symbol, Symbol], Symbol]
