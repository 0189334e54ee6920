from typing import Any

__version__: str

class Callable:
    """A compiled function; lattn.compile makes it."""

    def __init__(self, text: bytes, name: str, entry: str, cpu: str,
                 attributes: str, pipeline: str, cache: str,
                 is_interruptible: bool, /) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    @property
    def signature(self) -> str:
        """The function's name, arguments and results, with their types as MLIR
        spells them."""

def attention(q: Any, k: Any, v: Any, window: Any, causal: Any, scale: Any,
              bias: Any, key_mask: Any, attn_mask: Any, kv_lengths: Any,
              offset: Any, layout: Any, softcap: Any, sink: Any,
              mods: Any, dropout_p: Any, seed: Any, return_lse: Any, out: Any) -> Any: ...
def describe(array: Any, name: str) -> tuple[str, tuple[int, ...]]: ...
def set_num_threads(n: int, /) -> None: ...
def get_num_threads() -> int: ...
