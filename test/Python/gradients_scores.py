# REQUIRES: torch, slow
# RUN: env FIRST=%{slice}000 COUNT=12%{times100} %cached_pytest %s

# Gradients of what scores are made of: bias, attn_mask, sink and the tensors that
# score_mod reads, against autograd of the formula in float64.

import os

import numpy as np
import pytest
import torch

import lattn
from dense import F64, dense, leaf

FIRST, COUNT = (int(os.environ.get(name, default))
                for name, default in (("FIRST", 0), ("COUNT", 24)))
TOLERANCES = {F64: 1e-10, torch.float32: 2e-4, torch.bfloat16: 6e-2,
              torch.float16: 8e-3}
WINDOWS = [None, None, (3, 1), (5, 0), (None, 2),
           lattn.Window(bucket=4, back=1)]
# How each reads its tensors; `n` queries come before index 0 of tables.
MODS = {
    "slopes": lambda t, n: lambda s, b, h, i, j: s + t["slopes"][h] * (j - i),
    "table": lambda t, n: lambda s, b, h, i, j: s + t["table"][j - i + n, h],
    "buckets": lambda t, n: lambda s, b, h, i, j: (
        s + t["table"][t["buckets"][j - i + n], h]),
    "gate": lambda t, n: lambda s, b, h, i, j: (
        torch.tanh(s) * t["gate"][b, h] + t["one"] * s),
    "pairs": lambda t, n: lambda s, b, h, i, j: s * t["pairs"][b, i, j]}
READ = {"slopes": ["slopes"], "table": ["table"], "buckets": ["table"],
        "gate": ["gate", "one"], "pairs": ["pairs"]}


class Case:
    """Tensors to differentiate by, options and what score_mod reads."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        self.dtype = list(TOLERANCES)[seed % 4]
        self.real = F64 if self.dtype == F64 else torch.float32
        self.b, hkv = rng.integers(1, 4), rng.integers(1, 3)
        self.h = hkv * rng.integers(1, 4)
        self.n, self.m = (int(rng.choice([0, 1, rng.integers(2, 9),
                                          rng.integers(9, 80)],
                                         p=[.06, .1, .44, .4])) for _ in "nm")
        layout = str(rng.choice(["bhnd", "bnhd"]))
        d, dv = rng.integers(1, 20, 2)
        self.leaves = {
            name: self.rows(layout, heads, count, size) for name, heads, count,
            size in (("q", self.h, self.n, d), ("k", hkv, self.m, d),
                     ("v", hkv, self.m, dv))}
        self.options = {"layout": layout, "causal": bool(rng.random() < .3),
                        "window": WINDOWS[rng.integers(len(WINDOWS))]}
        if rng.random() < .3:
            self.options["offset"] = int(rng.integers(-3, 5))
        if rng.random() < .3:
            self.options |= {"dropout_p": 0.4, "seed": int(rng.integers(99))}
        if rng.random() < .3:
            self.leaves["sink"] = self.tensor(self.h)
        if rng.random() < .2:
            self.options["softcap"] = 2.0
        self.add_pairs()
        self.add_mods()

    def rows(self, layout, heads, count, size):
        axes = (heads, count) if layout == "bhnd" else (count, heads)
        return self.tensor(self.b, *axes, size, dtype=self.dtype)

    def tensor(self, *shape, dtype=None):
        """Dense, transposed, with a stride of 0, or a part of a larger one."""
        rng = self.rng
        if dtype is None:
            dtype = [self.dtype, self.real][rng.integers(2)]
        make = lambda shape: torch.as_tensor(rng.standard_normal(shape)).to(dtype)
        kind = rng.integers(4) if shape else 0
        if kind == 1:
            return make(shape[::-1]).permute(*range(len(shape))[::-1])
        if kind == 2:
            axis = rng.integers(len(shape))
            return make([1 if a == axis else n for a, n in enumerate(shape)]
                        ).expand(shape)
        if kind == 3:
            return make([2 * n + 1 for n in shape])[
                tuple(slice(1, None, 2) for _ in shape)]
        return make(shape)

    def pair_shape(self):
        shape = [n if self.rng.random() < .6 else 1
                 for n in (self.b, self.h, self.n, self.m)]
        return shape[self.rng.integers(4):]

    def add_pairs(self):
        if self.rng.random() < .5:
            self.leaves["bias"] = self.tensor(*self.pair_shape())
        kind = self.rng.random()
        if kind < .4:
            self.leaves["attn_mask"] = self.tensor(*self.pair_shape())
        elif kind < .6:
            self.options["attn_mask"] = torch.as_tensor(
                self.rng.random(self.pair_shape()) < .8)

    def add_mods(self):
        rng, n, m = self.rng, self.n, self.m
        self.mod = str(rng.choice([*MODS, "", ""]))
        sizes = {"slopes": (self.h,), "table": (n + m + 1, self.h), "one": (),
                 "gate": (self.b, self.h), "pairs": (self.b, n, m)}
        self.read = READ.get(self.mod, [])
        for name in self.read:
            self.leaves[name] = self.tensor(*sizes[name], dtype=[
                self.dtype, torch.float32, F64][rng.integers(3)])
        self.buckets = torch.as_tensor(rng.integers(0, 3, n + m + 1))
        if rng.random() < .3:
            seen = torch.as_tensor(rng.random((self.b, m)) < .8)
            self.options["mask_mod"] = lambda b, h, i, j: seen[b, j]

    def run(self, function, leaves, **more):
        arrays = {name: x for name, x in leaves.items() if name not in self.read}
        if self.mod:
            t = {name: leaves[name] for name in self.read}
            more["score_mod"] = MODS[self.mod](t | {"buckets": self.buckets},
                                               self.n)
        return function(**arrays, **self.options, **more)


@pytest.mark.parametrize("seed", range(FIRST + 16, FIRST + 16 + COUNT))
def test_generated(seed):
    case = Case(seed)
    ours = {name: x.requires_grad_() for name, x in case.leaves.items()}
    theirs = {name: leaf(x, F64) for name, x in ours.items()}
    found = case.run(lattn.attention, ours, return_lse=True)
    expected = case.run(dense, theirs)
    generator = torch.Generator().manual_seed(seed)
    given = [torch.randn(x.shape, generator=generator).to(x.dtype)
             for x in found]
    grads = torch.autograd.grad(found, [*ours.values()], given)
    wanted = torch.autograd.grad(expected, [*theirs.values()],
                                 [x.double() for x in given])
    for name, x, grad, y in zip(ours, ours.values(), grads, wanted):
        assert (grad.shape, grad.dtype) == (x.shape, x.dtype), name
        tolerance = max(TOLERANCES[case.dtype], TOLERANCES[x.dtype])
        # Sums of many pairs have the error of their largest terms.
        torch.testing.assert_close(
            grad.double(), y, rtol=tolerance,
            atol=tolerance * max(1, y.abs().max() if y.numel() else 0),
            msg=lambda text: f"{name}: {text}")


def inputs():
    generator = torch.Generator().manual_seed(1)
    make = lambda *shape: torch.randn(shape, generator=generator, dtype=F64)
    return {"q": make(2, 4, 5, 8), "k": make(2, 2, 6, 8), "v": make(2, 2, 6, 8),
            "bias": make(4, 1, 6), "attn_mask": make(5, 6), "slopes": make(4)}


ALL = tuple(range(6))


def loss(q, k, v, bias, attn_mask, slopes):
    return lattn.attention(
        q, k, v, bias=bias, attn_mask=attn_mask, causal=True,
        score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i)).sin().sum()


def wanted(arrays):
    xs = [leaf(x) for x in arrays]
    *others, slopes = xs
    out, _ = dense(*others[:3], bias=others[3], attn_mask=others[4], causal=True,
                   score_mod=MODS["slopes"]({"slopes": slopes}, 0))
    return torch.autograd.grad(out.sin().sum(), xs)


def test_transforms():
    xs = [*inputs().values()]
    grad = torch.func.grad(loss, argnums=ALL)
    torch.testing.assert_close(grad(*xs), wanted(xs))
    rows = [torch.stack((x, x + 1)) for x in xs]
    found = torch.vmap(grad)(*rows)
    other = torch.func.grad(lambda *x: torch.vmap(loss)(*x).sum(),
                            argnums=ALL)(*rows)
    shared = torch.vmap(torch.func.grad(loss, argnums=(0, 3, 5)),
                        in_dims=(0, *[None] * 5))(rows[0], *xs[1:])
    for row in range(2):
        expected = wanted([x[row] for x in rows])
        torch.testing.assert_close(tuple(x[row] for x in found), expected)
        torch.testing.assert_close(tuple(x[row] for x in other), expected)
        expected = wanted([rows[0][row], *xs[1:]])
        torch.testing.assert_close(tuple(x[row] for x in shared),
                                   tuple(expected[i] for i in (0, 3, 5)))


@pytest.mark.parametrize("name", ["bias", "attn_mask", "both"])
def test_compiled(name):
    def function(q, k, v, bias, mask):
        return lattn.attention(q * 2, k, v, causal=True, **(
            {"bias": bias, "attn_mask": mask} if name == "both" else
            {name: bias})).sin().sum()
    xs = [leaf(x) for x in [*inputs().values()][:5]][:5 if name == "both" else 4]
    rest = [None] * (5 - len(xs))
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(
        torch.autograd.grad(compiled(*xs, *rest), xs),
        torch.autograd.grad(function(*xs, *rest), xs))


@pytest.mark.parametrize("shape", [(2, 3, 5, 6), (5, 6), (2, 1, 1, 6)])
def test_scaled_dot_product_attention(shape):
    generator = torch.Generator().manual_seed(2)
    make = lambda *shape: torch.randn(shape, generator=generator)
    arrays = [make(2, 3, 5, 8), make(2, 3, 6, 8), make(2, 3, 6, 8), make(*shape)]
    found = []
    for function in (lattn.scaled_dot_product_attention,
                     torch.nn.functional.scaled_dot_product_attention):
        xs = [leaf(x) for x in arrays]
        function(*xs).sin().sum().backward()
        if len(shape) == 4:  # five axes, which are broadcast
            function(*(x[:, None] for x in xs)).cos().sum().backward()
        found.append([x.grad for x in xs])
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-5)


def test_computed_tensors():
    # By score_mod itself; beside arrays that have no gradients.
    q, k, v = [*inputs().values()][:3]
    embedding = torch.nn.Embedding(3, 4, dtype=F64)
    rows = torch.tensor([0, 1, 2, 0, 1, 2])
    found = []
    for function, given in ((lattn.attention, np.full(4, .5, np.float32)),
                            (dense, torch.full((4,), .5))):
        out = function(q, k, v, score_mod=lambda s, b, h, i, j: (
            s * given[h] + embedding.weight.exp()[rows[j], h]))
        out = out if torch.is_tensor(out) else out[0]
        found.append(torch.autograd.grad(out.sin().sum(), embedding.weight))
    torch.testing.assert_close(*found)


def every_function(s, x):
    """Of numbers x between 0.5 and 2, and the score."""
    u = x + torch.sigmoid(s)
    terms = [f(u) for f in (
        torch.exp, torch.exp2, torch.expm1, torch.log, torch.log2, torch.log10,
        torch.log1p, torch.sqrt, torch.rsqrt, torch.sin, torch.cos, torch.tanh,
        torch.erf, torch.floor, torch.ceil, torch.trunc, torch.round, torch.abs,
        torch.square, torch.reciprocal, torch.sign, torch.neg)]
    terms += [torch.tan(0.3 * u), u**3, u**-2, u**1.5, u**x, u % 0.7,
              3.0 - u, 2 / u, torch.maximum(u, 2 * x), torch.minimum(u, x * x),
              torch.fmax(u, 2 * x), torch.fmin(u, x * x),
              torch.clip(u, 1.0, 1.5), torch.where(u > 1.2, u * x, s),
              torch.where(torch.isfinite(u) & ~torch.isnan(u), s, x)]
    return sum(0.1 * (n % 5 + 1) * term for n, term in enumerate(terms))


def test_every_function():
    arrays = inputs()
    xs = [leaf(arrays[name]) for name in "qkv"] + [
        leaf(torch.tensor([.5, .9, 1.4, 2.0], dtype=F64))]
    score_mod = lambda s, b, h, i, j: every_function(s, xs[3][h])
    out = lattn.attention(*xs[:3], score_mod=score_mod)
    expected, _ = dense(*xs[:3], score_mod=score_mod)
    torch.testing.assert_close(out, expected)
    torch.testing.assert_close(torch.autograd.grad(out.sin().sum(), xs),
                               torch.autograd.grad(expected.sin().sum(), xs))


def test_what_has_no_gradients():
    q, k, v, *_, slopes = inputs().values()
    limits, seen = torch.full((4,), 2), torch.ones(6, dtype=torch.bool)
    for x in (limits, seen):
        with pytest.raises(RuntimeError, match="floating point"):
            x.requires_grad_()
    slopes.requires_grad_()
    out = lattn.attention(
        q, k, v, key_mask=torch.ones(2, 6, dtype=torch.bool),
        score_mod=lambda s, b, h, i, j: s * slopes[h],
        mask_mod=lambda b, h, i, j: (i - j < limits[h]) & seen[j])
    out.sum().backward()
    assert slopes.grad.shape == (4,) and limits.grad is None
    # A tensor that only masks read has gradients of 0.
    out = lattn.attention(q, k, v, mask_mod=lambda b, h, i, j: j > slopes[h])
    assert torch.equal(torch.autograd.grad(out.sum(), slopes)[0], torch.zeros(4))
    # So has one that is read for nothing.
    out = lattn.attention(
        q, k, v, score_mod=lambda s, b, h, i, j: (slopes[h], s)[1])
    torch.testing.assert_close(out, lattn.attention(q, k, v))
    assert torch.equal(torch.autograd.grad(out.sum(), slopes)[0], torch.zeros(4))
    with pytest.raises(NotImplementedError, match="'slopes': gradients"):
        lattn.attention(q.numpy(), k, v,
                        score_mod=lambda s, b, h, i, j: s * slopes[h])
