"""Sizes to check with, and what must come out."""

import dataclasses

# The output is rounded to 8 or 11 bits and so are the weights, each of which is
# off by half a unit: their errors add up to about one more of the output's.
TOLERANCES = {"bf16": 2.0 ** -7, "f16": 2.0 ** -9}   # times max(1, |expected|)


@dataclasses.dataclass(frozen=True)
class Case:
    """Letters of attention's sizes; `skew` elements precede each array."""

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
    layout: str = "bhnd"
    skew: int = 0

    def shapes(self):
        """(B, heads, positions, size) by name, whatever the layout."""
        return {"q": (self.B, self.H, self.N, self.D),
                "k": (self.B, self.Hkv, self.M, self.D),
                "v": (self.B, self.Hkv, self.M, self.Dv),
                "out": (self.B, self.H, self.N, self.Dv)}

    def strides(self, shape):
        """Elements, of (B, heads, positions, size) as they lie in memory."""
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
        return 2 * self.B * self.H * self.pairs() * (self.D + self.Dv)


def make(family, sizes):
    return Case(**{name: sizes[name] for name in ("B", "H", "Hkv", "N", "M")},
                **{name: family[name] for name in ("D", "Dv", "dtype", "left",
                                                   "right")},
                layout=sizes.get("layout", "bhnd"), skew=sizes.get("skew", 0))
