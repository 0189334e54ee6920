"""A workload: the shapes, window and options of one attention."""

import dataclasses

from . import modules, window
from .scores import SCORES

TYPES = {"f32": 4, "f64": 8, "f16": 2, "bf16": 2}
LAYOUTS = ("bhnd", "bnhd", "qkv")


@dataclasses.dataclass(frozen=True)
class Workload:
    """Query i stands at position M - N + i, key j at j.

    layout says how query, key and value lie in memory; qkv is (B, N, 3, H, D).
    static compiles for these shapes only. width > 0 puts projections of
    (B, N, width) to query, key and value before attention, and one back to it;
    what lies in between is not for layout to say. module is a whole torch module
    of that width instead, see modules.py. training times a forward and a backward
    pass, and compares gradients: of query, key and value, or of a module's parameters.
    """

    name: str
    suite: str
    N: int
    B: int = 1
    H: int = 8
    Hkv: int = 0            # 0: H
    M: int = 0              # 0: N
    D: int = 64
    Dv: int = 0             # 0: D
    left: int | None = None
    right: int | None = None
    bucket: int | None = None
    back: int = 0
    forward: int = 0
    causal: bool = False
    dtype: str = "f32"
    layout: str = "bhnd"
    rotary: bool = False
    score: str = ""
    static: bool = False
    width: int = 0
    module: str = ""
    training: bool = False
    depth: int = 1          # layers of a LocalTransformer, and its vocabulary
    tokens: int = 256
    threads: int = 1
    peers: tuple[str, ...] = ()   # none: all of them

    def __post_init__(self):
        for name, value in (("Hkv", self.H), ("M", self.N), ("Dv", self.D)):
            if not getattr(self, name):
                object.__setattr__(self, name, value)
        object.__setattr__(self, "peers", tuple(self.peers))
        for problem in self._problems():
            raise ValueError(f"workload {self.name}: {problem}")

    def _problems(self):
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.type in (int, int | None) and value is not None and (
                    type(value) is not int or value < 0):
                yield f"{field.name}: expected a number >= 0, got {value!r}"
        for name in ("N", "B", "H", "Hkv", "M", "D", "Dv", "depth", "tokens",
                     "threads"):
            if getattr(self, name) < 1:
                yield f"{name}: expected a number >= 1, got {getattr(self, name)}"
        if self.bucket == 0 or (not self.bucket and (self.back or self.forward)):
            yield f"bucket: expected a number >= 1, got {self.bucket}"
        if self.M < self.N:
            yield f"M: expected a number >= N, got {self.M}"
        if self.H % self.Hkv:
            yield f"Hkv: expected a divisor of {self.H}, got {self.Hkv}"
        for name, value, known in (("dtype", self.dtype, TYPES),
                                   ("layout", self.layout, LAYOUTS),
                                   ("score", self.score, ("", *SCORES))):
            if value not in known:
                yield (f"{name}: expected one of {', '.join(filter(None, known))}"
                       f"; got {value!r}")
        plain = (self.M, self.Hkv, self.Dv) == (self.N, self.H, self.D)
        if (self.layout == "qkv" or self.width or self.rotary) and not plain:
            yield "packed qkv, projections and rotary need M = N, Hkv = H, Dv = D"
        only_left = (self.bucket, self.right, self.causal) == (None, None, True)
        if self.rotary and not (only_left and self.left):
            yield "rotary needs a causal window of left"
        if self.module and self.module not in modules.MODULES:
            yield (f"module: expected one of {', '.join(modules.MODULES)}; got "
                   f"{self.module!r}")
        if self.module and not (self.width and only_left and self.left and plain
                                and self.dtype != "f64"):
            yield ("module needs a width, a causal window of left, and a type "
                   f"other than f64; got {self.dtype}")
        if self.score and (self.rotary or self.width):
            yield "score: none with rotary or projections"
        plain_type = self.dtype == "f32" and self.layout == "bhnd"
        if self.training and not (plain_type and (self.module or not self.is_program)
                                  and not self.score):
            yield "training: only f32 and bhnd, without scores, rotary or projections"
        if self.layout == "qkv" and self.is_program and not self.width:
            yield "layout: a program takes bhnd or bnhd, got qkv"

    @property
    def is_program(self):
        """lattn gets it as a module's text, not as a call of lattn.attention."""
        return bool(self.static or self.rotary or self.width
                    or self.score in ("alibi", "function"))

    @property
    def is_full(self):
        """Every query sees every key."""
        return window.visible_pairs(self) == self.N * self.M

    @property
    def is_plainly_causal(self):
        """Causal is all that hides keys."""
        pairs = self.N * (self.M - self.N) + self.N * (self.N + 1) // 2
        return self.causal and window.visible_pairs(self) == pairs

    def flops(self):
        """Useful ones: of visible pairs, and of projections. In training, a backward
        pass has five products of pairs for two of the forward pass, and two of each
        projection for one."""
        pairs = 2 * self.B * self.H * window.visible_pairs(self) * (self.D + self.Dv)
        rows, inner = self.B * self.N, self.H * self.D
        rest = 2 * rows * 4 * inner * self.width
        if self.module:
            pairs *= self.depth
            rest = 2 * rows * modules.parameters(self)
        return 7 * pairs // 2 + 3 * rest if self.training else pairs + rest

    def least_bytes(self):
        """Inputs that are seen, and the output, once each."""
        begin, end = window.seen_keys(self)
        if self.module:
            elements = modules.parameters(self) + self.B * self.N * (
                2 * self.width if self.module == "LocalMHA" else self.tokens)
        elif self.width:
            elements = (2 * self.B * self.N + 4 * self.H * self.D) * self.width
        else:
            elements = self.B * (self.H * self.N + self.Hkv * (end - begin)) * (
                self.D + self.Dv)
        return elements * TYPES[self.dtype]
