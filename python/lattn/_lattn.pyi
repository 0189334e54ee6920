from collections.abc import Sequence
from typing import Any, Optional, Union

from ._gradient import Gradient
from ._types import ArrayLike, ArrayOrPair, MaskMod, ScoreMod
from ._window import Window

__version__: str

class TracedTensorError(Exception): ...
class GradientsError(NotImplementedError): ...

class Callable:
    """A compiled function. lattn.compile makes it."""

    def __init__(self, text: bytes, name: str, entry: str, cpu: str,
                 attributes: str, pipeline: str, cache: str,
                 is_interruptible: bool, device: int, stream: int,
                 is_quiet: bool, /) -> None: ...
    # The result is what the function's type says.
    def __call__(self, *args: Union[ArrayLike, float],
                 **kwargs: Union[ArrayLike, float]) -> Any:
        """Calls the function: arguments by position, or by their names in
        signature. Returns None, the result, or a tuple of results."""
    @property
    def signature(self) -> str:
        """The function's name, its arguments and its results, with types in
        MLIR's spelling."""
    def grad(self, arguments: Union[str, int, Sequence[Union[str, int]],
                                    None] = None) -> Gradient:
        """Makes a callable for the function's values and gradients."""
    @property
    def last_call(self) -> int: ...
    def _bind(self, *args: object, **kwargs: object) -> list[object]: ...
    # name, arguments and results as lattn._gradient.Value
    def _describe(self) -> tuple[str, list[tuple], list[tuple]]: ...
    def _get_source(self) -> tuple[bytes, str, str, str, str, str]: ...

class Snapshot:
    """Types of objects, and which values dictionaries hold."""

    def __init__(self, objects: Sequence[object],
                 dicts: Sequence[dict[str, object]], /) -> None: ...
    def holds(self) -> bool: ...

def attention(
    q: ArrayLike, k: ArrayLike, v: ArrayLike,
    window: Union[Window, tuple[Optional[int], Optional[int]], None],
    causal: bool, scale: Optional[float], bias: Optional[ArrayLike],
    key_mask: Optional[ArrayLike], attn_mask: Optional[ArrayLike],
    kv_lengths: Optional[ArrayLike], offset: Union[int, ArrayLike, None],
    layout: str, softcap: float, sink: Optional[ArrayLike],
    mods: Optional[tuple[Optional[ScoreMod], Optional[MaskMod],
                         Optional[ArrayLike], Optional[ArrayLike]]],
    dropout_p: Optional[float], seed: Optional[int], return_lse: bool,
    out: Optional[ArrayLike], gradients: Optional[tuple[Optional[ArrayLike], ...]],
    unless_traced: bool, pages: Optional[ArrayLike] = None,
    cu_seqlens_q: Optional[ArrayLike] = None,
    cu_seqlens_k: Optional[ArrayLike] = None) -> ArrayOrPair: ...

def describe(array: ArrayLike, name: str) -> tuple[str, tuple[int, ...]]: ...
def forget_kernels() -> None: ...
def set_dry(is_dry: bool, /) -> bool: ...
def get_cache_folder() -> str: ...
def get_host() -> tuple[str, int, str]: ...
def compile_ptx(text: bytes, name: str, chip: str) -> str: ...
def run_passes(text: bytes, name: str, pipeline: str) -> str: ...
def set_num_threads(n: int, /) -> None: ...
def get_num_threads() -> int: ...
