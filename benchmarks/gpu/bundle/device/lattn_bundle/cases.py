"""Sizes to check with."""

import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Case:
    """Letters of attention's sizes; `skew` elements precede each array. `backward` is
    its gradients."""

    B: int
    H: int
    Hkv: int
    N: int
    M: int
    D: int
    Dv: int
    dtype: str
    left: int
    right: int
    backward: bool = False
    layout: str = "bhnd"
    skew: int = 0

    def shapes(self):
        """(B, heads, positions, size) by name, whatever the layout."""
        shapes = {"q": (self.B, self.H, self.N, self.D),
                  "k": (self.B, self.Hkv, self.M, self.D),
                  "v": (self.B, self.Hkv, self.M, self.Dv),
                  "out": (self.B, self.H, self.N, self.Dv)}
        if self.backward:
            shapes |= {"lse": (self.B, self.H, self.N), "do": shapes["out"],
                       **{"d" + name: shapes[name] for name in "qkv"}}
        return shapes

    @property
    def outputs(self):
        return ("dq", "dk", "dv") if self.backward else ("out",)

    def strides(self, shape):
        """Elements, of (B, heads, positions, size) as they lie in memory."""
        if len(shape) == 3:
            return shape[1] * shape[2], shape[2], 1
        b, h, n, d = shape
        if self.layout == "bnhd":
            return h * n * d, d, h * d, 1
        return h * n * d, n * d, d, 1

    def visible(self, i):
        """(first key, one behind the last) that query i sees."""
        position = self.M - self.N + i
        first = 0 if self.left is None else max(0, position - self.left)
        end = self.M if self.right is None else min(self.M,
                                                    position + self.right + 1)
        return min(first, self.M), max(end, 0)

    def pairs(self):
        """Visible pairs of a head."""
        return sum(max(0, end - first) for first, end in
                   map(self.visible, range(self.N)))

    def flops(self):
        """Two products, or five."""
        sizes = 3 * self.D + 2 * self.Dv if self.backward else self.D + self.Dv
        return 2 * self.B * self.H * self.pairs() * sizes

    def lse(self):
        """Log-sum-exps of the queries, about as they are with random numbers."""
        seen = (end - first for first, end in map(self.visible, range(self.N)))
        return [math.log(count) + 0.5 if count > 0 else -math.inf for count in seen]


def make(family, sizes):
    return Case(**{name: sizes[name] for name in ("B", "H", "Hkv", "N", "M")},
                **{name: family[name] for name in ("D", "Dv", "dtype", "left",
                                                   "right", "backward")},
                layout=sizes.get("layout", "bhnd"), skew=sizes.get("skew", 0))
