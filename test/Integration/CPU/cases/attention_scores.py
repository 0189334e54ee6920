"""Generated cases of lattn.attention_scores against f64 NumPy, written from
docs/spec.md: attention_scores.py SEED CASES TOOL FOLDER [FLAGS...]"""

import sys

import numpy as np

from programs import ELEMENTS, Program, attributes
from runs import run_generated

STAGES = ["products", "scores", "masked", "weights"]
TOLERANCES = {"f64": 1e-12, "f32": 1e-5, "f16": 2e-3, "bf16": 1e-2}
WINDOWS = [
    {}, {"right": 0}, {"left": 3, "right": 1}, {"left": 0, "right": 0},
    {"bucket": 4, "back": 1}, {"bucket": 3, "forward": 1, "left": 2},
]
REGION = """score {{
  ^bb0(%s: {acc}, %bi: i32, %hi: i32, %qi: i32, %ki: i32, %t: tensor<?x{acc}>):
    %head = arith.index_cast %hi : i32 to index
    %slope = tensor.extract %t[%head] : tensor<?x{acc}>
    %distance = arith.subi %ki, %qi : i32
    %x = arith.sitofp %distance : i32 to {acc}
    %tanh = math.tanh %s : {acc}
    %r = math.fma %slope, %x, %tanh : {acc}
    lattn.yield %r : {acc}
  }}"""


def is_visible(window, p, t):
    visible = np.broadcast_to(True, np.broadcast_shapes(p.shape, t.shape))
    if "left" in window:
        visible = visible & (t >= p - window["left"])
    if "right" in window:
        visible = visible & (t <= p + window["right"])
    if "bucket" in window:
        distance = t // window["bucket"] - p // window["bucket"]
        visible = visible & (-window.get("back", 0) <= distance) & (
            distance <= window.get("forward", 0))
    return visible


def softmax(s, sink):
    """Along the last axis; 0 where all is -inf."""
    s = np.concatenate([s, np.broadcast_to(sink, (*s.shape[:-1], 1))], -1)
    highest = s.max(-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        e = np.exp(s - np.where(np.isneginf(highest), 0, highest))
    total = e.sum(-1, keepdims=True)
    return (e / np.where(total == 0, 1, total))[..., :-1]


class Case:
    """Operands of one case, the program, and what it should give."""

    def __init__(self, number, rng):
        self.rng = rng
        self.stage = STAGES[number % 4]
        self.element = ["f32", "bf16", "f64", "f16"][number // 4 % 4]
        self.acc = "f64" if self.element == "f64" else "f32"
        self.wide = rng.random() < 0.5
        self.bnhd = rng.random() < 0.4
        self.unknown = [(), (2,), (0, 1, 2), (3,)][rng.integers(4)]
        self.window = WINDOWS[rng.integers(len(WINDOWS))]
        self.causal = rng.random() < 0.3
        self.scale = [None, 0.3, -1.0][rng.integers(3)]
        self.choose_extents()
        self.choose_operands()

    def normal(self, *shape, element=None):
        array = self.rng.standard_normal(shape)
        return array.astype(ELEMENTS[element or self.element])

    def choose_extents(self):
        rng = self.rng
        self.kv_heads = int(rng.integers(1, 3))
        # (batches, heads, queries, keys) of the op, and its place in a larger.
        self.local = np.array([rng.choice([0, 1, 2, 3], p=[.1, .4, .3, .2]),
                               self.kv_heads * rng.integers(1, 3),
                               rng.integers(1, 9), rng.integers(0, 9)])
        self.origin = np.zeros(4, int)
        if rng.random() < 0.2:
            self.origin = rng.integers(0, 3, 4)
        self.extents = self.local + self.origin

    def choose_operands(self):
        rng, (b, h, n, m) = self.rng, self.local
        size = int(rng.choice([1, 4, 8, 11]))
        self.query = self.normal(b, h, n, size)
        self.key = self.normal(b, self.kv_heads, m, size)
        batches, heads, queries, keys = self.extents

        def maybe(array, p=0.4):
            return array if rng.random() < p else None
        self.key_mask = maybe(rng.random((batches, keys)) < 0.7)
        self.kv_lens = maybe(rng.integers(-1, keys + 2, batches).astype(
            rng.choice([np.int32, np.int64])))
        self.offset = maybe(rng.integers(-3, 4, batches)
                            if rng.random() < 0.5 else
                            np.int64(rng.integers(-3, 4)))
        if self.offset is None and self.origin.any():
            self.offset = np.int64(2)
        narrow_or_wide = str(rng.choice([self.element, self.acc]))
        self.sink = maybe(self.normal(heads, element=narrow_or_wide))
        self.bias = maybe(self.normal(heads, 1, keys, element=narrow_or_wide)
                          if rng.random() < 0.5 else
                          self.normal(heads, 5, element=narrow_or_wide))
        self.slopes = maybe(self.normal(heads, element=self.acc))
        # What is hidden does not matter, what is not does.
        if self.key_mask is not None:
            hidden = ~self.key_mask[self.origin[0]:, self.origin[3]:]
            self.key[np.broadcast_to(hidden[:, None], self.key.shape[:3])] = np.nan
        if b and m and rng.random() < 0.1:
            self.key[0, 0, 0] = np.inf

    def program(self):
        program = Program()
        axes = [0, 2, 1, 3] if self.bnhd else [0, 1, 2, 3]
        unknown = [axes[axis] for axis in self.unknown]

        def matrix(name, array):
            array = array.swapaxes(1, 2) if self.bnhd else array
            return program.add(name, np.ascontiguousarray(array), unknown)
        op = (f"lattn.attention_scores query({matrix('query', self.query)}) "
              f"key({matrix('key', self.key)})")
        for name in ["bias", "key_mask", "kv_lens", "offset", "sink"]:
            array = getattr(self, name)
            if array is not None:
                op += f" {name}({program.add(name, array)})"
        if self.origin.any():
            origin = [program.add_index(f"o{axis}", n)
                      for axis, n in enumerate(self.origin)]
            op += f" origin({', '.join(origin)})"
        tail = ""
        if self.slopes is not None:
            op += f" captures({program.add('slopes', self.slopes, [0])})"
            tail = " " + REGION.format(acc=self.acc)
        window = ", ".join(f"{k} = {v}" for k, v in self.window.items())
        mapped = self.bias is not None and self.bias.ndim == 2
        values = attributes({
            "stage": f"#lattn.stage<{self.stage}>", "causal": self.causal,
            "window": f"#lattn.window<{window}>" if window else None,
            "layout": "#lattn.layout<bnhd>" if self.bnhd else None,
            "scale": self.scale,
            "bias_map": "affine_map<(b, h, q, k) -> (h, (q + k) mod 5)>"
                        if mapped else None})
        extents = [int(n) for n in self.local]
        for axis in set(self.unknown) & {0, 1, 2}:
            extents[axis] = ("query", axes[axis])
        if 2 in self.unknown:
            extents[3] = ("key", axes[2])
        element = self.acc if self.wide else self.element
        return program.finish(op, element, extents, values + tail)

    def expected(self):
        at = [np.arange(n) + o for n, o in zip(self.local, self.origin)]
        b, h, i, j = np.ix_(*at)
        group = self.local[1] // self.kv_heads
        key = self.key.astype(np.float64).repeat(group, 1)
        with np.errstate(invalid="ignore"):
            s = self.query.astype(np.float64) @ key.swapaxes(2, 3)
        s *= self.query.shape[-1] ** -0.5 if self.scale is None else self.scale
        if self.stage == "products":
            return s
        if self.slopes is not None:
            s = np.tanh(s) + self.slopes[h] * (j - i)
        if self.stage == "scores":
            return s
        if self.bias is not None:
            bias = self.bias.astype(np.float64)
            s = s + (bias[h, (i + j) % 5] if bias.ndim == 2 else bias[h, 0, j])
        n, m = self.local[2], self.local[3]
        lens = np.full(self.extents[0], m + self.origin[3])
        if self.kv_lens is not None:
            lens = np.clip(self.kv_lens.astype(int), 0, lens)
        offset = lens - n if self.offset is None else self.offset
        p = np.broadcast_to(offset, lens.shape)[b] + i
        visible = is_visible(self.window, p, j) & (j < lens[b])
        if self.causal:
            visible &= j <= p
        if self.key_mask is not None:
            visible &= self.key_mask[b, j]
        s = np.where(visible, s, -np.inf)
        if self.stage == "masked":
            return s
        sink = -np.inf if self.sink is None else self.sink[h].astype(float)
        return softmax(s, sink)


def make_case(number, rng):
    case = Case(number, rng)
    program = case.program()
    return program, case.expected(), TOLERANCES[program.element]


if __name__ == "__main__":
    run_generated(make_case, *sys.argv[1:])
