"""Functions around lattn.attention with generated options: their text, what
torch computes, and arguments."""

import numpy as np
import torch

WINDOWS = [{}, {"right": 0}, {"left": 3, "right": 1}, {"left": 0, "right": 0},
           {"left": 20}, {"bucket": 4, "back": 1},
           {"bucket": 5, "forward": 1, "left": 7}]
NAMES = {"float64": "f64", "float32": "f32", "bool": "i1", "int64": "i64",
         "int32": "i32"}


def is_visible(window, p, t):
    b = window.get("bucket")
    lower, upper = p - window.get("left", 1 << 40), p + window.get("right", 1 << 40)
    seen = (lower <= t) & (t <= upper)
    if b:
        seen &= (p // b - window.get("back", 0) <= t // b) & (
            t // b <= p // b + window.get("forward", 0))
    return seen


class Case:
    """Floats to differentiate by, constants, the text and the function."""

    def __init__(self, seed, number):
        rng = self.rng = np.random.default_rng([seed, number])
        self.element = "float32" if number % 5 == 4 else "float64"
        self.type = NAMES[self.element]
        # Sizes around those of blocks and vectors.
        n = int(rng.choice([1, 5, 16, 64, 70, 130]))
        m = int(rng.choice([n, n, 3, 40]))
        kv = int(rng.integers(1, 3))
        d = int(rng.choice([1, 4, 8]))
        self.extents = b, h, n, m = (
            int(rng.integers(1, 3)), kv * int(rng.integers(1, 3)), n, m)
        self.bnhd = rng.random() < 0.4
        self.window = WINDOWS[rng.integers(len(WINDOWS))]
        self.causal = rng.random() < 0.2
        self.scale = [None, 0.3][rng.integers(2)]
        self.is_dynamic = rng.random() < 0.6
        self.floats = {"q": self.normal(b, h, n, d),
                       "k": self.normal(b, kv, m, d),
                       "v": self.normal(b, kv, m, int(rng.choice([d, 3])))}
        self.constants = {}
        self.choose_options(b, h, n, m)
        if rng.random() < 0.5:
            self.hide()

    def normal(self, *shape):
        return self.rng.normal(size=shape).astype(self.element)

    def choose_options(self, b, h, n, m):
        rng = self.rng
        self.biased = str(rng.choice(["", "", "broadcast", "whole", "map"]))
        if self.biased:
            shape = {"broadcast": (h, 1, m), "whole": (b, h, n, m),
                     "map": (h, 5)}[self.biased]
            self.floats["bias"] = self.normal(*shape)
            if rng.random() < 0.4:
                self.floats["bias"][rng.random(shape) < 0.2] = -np.inf
        if rng.random() < 0.3:
            self.floats["sink"] = self.normal(h)
        self.scored = rng.random() < 0.4
        if self.scored:
            self.floats["slopes"] = 0.1 * self.normal(h)
        if rng.random() < 0.3:
            self.constants["key_mask"] = rng.random((b, m)) < 0.7
        if rng.random() < 0.3:
            self.constants["kv_lens"] = rng.integers(-1, m + 2, b)
        if rng.random() < 0.3:
            self.constants["offset"] = rng.integers(
                -5, max(m - n, 0) + 6, [(), b][rng.integers(2)])
        self.dropout = None
        if rng.random() < 0.3:
            self.dropout = (float(rng.choice([0.3, 0.8, 1.0])),
                            int(rng.integers(2**62)), int(rng.integers(2**40)))

    def get_visible(self):
        b, h, n, m = self.extents
        i, j = np.arange(n)[:, None], np.arange(m)
        lens = np.clip(self.constants.get("kv_lens", np.full(b, m)), 0, m)
        offset = self.constants.get("offset", lens - n)
        p = np.broadcast_to(offset, (b,))[:, None, None] + i
        seen = is_visible(self.window, p, j) & (j < lens[:, None, None])
        if self.causal:
            seen &= j <= p
        if "key_mask" in self.constants:
            seen &= self.constants["key_mask"][:, None]
        return np.broadcast_to(seen[:, None], self.extents)

    def get_bias(self, bias):
        b, h, n, m = self.extents
        if self.biased == "map":
            at = (np.arange(n)[:, None] + np.arange(m)) % 5
            return bias[:, torch.tensor(at)]
        return bias

    def hide(self):
        """NaN and Inf in rows that nobody sees."""
        seen = self.get_visible()
        b, h, n, m = self.extents
        group = h // self.floats["k"].shape[1]
        hidden = ~seen.reshape(b, -1, group, n, m).any((2, 3))
        self.floats["k"][hidden] = np.nan
        self.floats["v"][hidden] = np.inf
        self.floats["q"][~seen.any(-1)] = np.nan

    def clean(self):
        """The floats as the oracle takes them, which computes what is hidden."""
        return [np.where(np.isfinite(x), x, 0) if name in "qkv" else x
                for name, x in self.floats.items()]

    def compute(self, *floats):
        """(output, lse) by torch, of the floats in the op's order of axes."""
        x = dict(zip(self.floats, floats))
        b, h, n, m = self.extents
        group = h // x["k"].shape[1]
        k, v = (x[i].repeat_interleave(group, 1) for i in "kv")
        scale = x["q"].shape[3] ** -0.5 if self.scale is None else self.scale
        s = scale * x["q"] @ k.swapaxes(2, 3)
        if self.scored:
            distance = torch.arange(m) - torch.arange(n)[:, None]
            s = torch.tanh(s) * (1 + x["slopes"][:, None, None]) + (
                x["slopes"][:, None, None] ** 2 * distance)
        seen = torch.tensor(self.get_visible().copy())
        if "bias" in x:
            bias = self.get_bias(x["bias"]).expand(self.extents)
            seen = seen & ~bias.isneginf()
            s = s + torch.where(bias.isneginf(), 0, bias)
        sink = x.get("sink", torch.full((h,), -torch.inf, dtype=s.dtype))
        sink = sink[:, None].expand(b, h, n)
        s = torch.where(seen, s, 0)
        most = torch.where(seen, s, -torch.inf).amax(-1).maximum(sink).detach()
        most = torch.where(most.isneginf(), 0, most)
        e = torch.where(seen, torch.exp(s - most[..., None]), 0)
        z = e.sum(-1) + torch.exp(sink - most)
        safe = torch.where(z > 0, z, 1)
        lse = torch.where(z > 0, torch.log(safe) + most, -torch.inf)
        if self.dropout:
            e = e * torch.tensor(self.get_factors())
        return e @ v / safe[..., None], lse

    def get_factors(self):
        import philox
        b, h, i, j = np.ix_(*map(np.arange, self.extents))
        return philox.factors(self.dropout, b * self.extents[1] + h, i, j)

    def lay(self, name, x):
        """`x` as the function has the array `name` or its derivative."""
        if self.bnhd and name in ("q", "k", "v", "output"):
            x = x.swapaxes(1, 2)
        return np.ascontiguousarray(x) if x.ndim else x.item()

    def arguments(self):
        return [self.lay(*x) for x in (self.floats | self.constants).items()]

    def text(self):
        types = {}
        for name, x in (self.floats | self.constants).items():
            shape = list(np.shape(self.lay(name, x)))
            if self.is_dynamic and name in "qkv":
                shape[1 if self.bnhd else 2] = "?"
            elif self.is_dynamic and name == "bias" and self.biased == "whole":
                shape[2:] = "??"
            elif self.is_dynamic and name == "slopes":
                shape = "?"
            element = NAMES[x.dtype.name]
            types[name] = (f"tensor<{'x'.join(map(str, [*shape, element]))}>"
                           if shape else element)
        q, v = types["q"], types["v"]
        o = q[:q.rindex("x", 0, q.rindex("x"))] + v[v.rindex("x", 0, v.rindex("x")):]
        b, h, n, _ = self.extents
        n = "?" if self.is_dynamic else n
        r = f"tensor<{b}x{h}x{n}x{self.type}>"
        size = "%n" if self.is_dynamic else ""
        operands = "".join(f" {name}(%{name} : {types[name]})" for name in (
            "bias", "key_mask", "kv_lens", "offset", "sink") if name in types)
        lines = []
        if self.dropout:
            p, seed, words = self.dropout
            lines = [f"%p = arith.constant {p:.8e} : f32",
                     f"%seed = arith.constant {seed} : i64",
                     f"%words = arith.constant {words} : i64"]
            operands += " dropout(%p, %seed, %words : f32, i64, i64)"
        region = ""
        if self.scored:
            operands += f" captures(%slopes : {types['slopes']})"
            region = self.region(types["slopes"])
        attributes = self.attributes()
        body = "\n  ".join(lines)
        return f"""
func.func @f({", ".join(f"%{x}: {t}" for x, t in types.items())}) -> ({o}, {r}) {{
  %axis = arith.constant {1 if self.bnhd else 2} : index
  %n = tensor.dim %q, %axis : {q}
  %e = tensor.empty({size}) : {o}
  %l = tensor.empty({size}) : {r}
  {body}
  %0:2 = lattn.attention query(%q : {q}) key(%k : {types["k"]}) value(%v : {v})
      {operands} outs(%e : {o}, %l : {r}) {{{attributes}}}{region}
  return %0#0, %0#1 : {o}, {r}
}}
"""

    def attributes(self):
        found = []
        if self.window:
            inner = ", ".join(f"{k} = {v}" for k, v in self.window.items())
            found.append(f"window = #lattn.window<{inner}>")
        if self.causal:
            found.append("causal")
        if self.scale is not None:
            found.append(f"scale = {self.scale} : f64")
        if self.bnhd:
            found.append("layout = #lattn.layout<bnhd>")
        if self.biased == "map":
            found.append(
                "bias_map = affine_map<(b, h, q, k) -> (h, (q + k) mod 5)>")
        return ", ".join(found)

    def region(self, slopes):
        a = self.type
        return f""" score {{
  ^bb0(%s: {a}, %bi: i32, %hi: i32, %qi: i32, %ki: i32, %t: {slopes}):
    %head = arith.index_cast %hi : i32 to index
    %slope = tensor.extract %t[%head] : {slopes}
    %distance = arith.subi %ki, %qi : i32
    %x = arith.sitofp %distance : i32 to {a}
    %tanh = math.tanh %s : {a}
    %square = arith.mulf %slope, %slope : {a}
    %more = arith.mulf %square, %x : {a}
    %product = math.fma %tanh, %slope, %tanh : {a}
    %r = arith.addf %product, %more : {a}
    lattn.yield %r : {a}
  }}"""
