# REQUIRES: torch, slow
# RUN: env FIRST=%{slice}000 COUNT=10%{times100} %cached_pytest %s

# Derivatives by torch's operations, tile by tile, as GPUs compute those that have no
# kernel there: on the CPU, against its kernels.

import os
import warnings

import numpy as np
import pytest
import torch
from torch.autograd import forward_ad
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

import lattn
import lattn.math
from lattn import _scores
from lattn.nn import (_attention, _attention_operators, _formula, _operands,
                      _tile_formula, _tiles)

FIRST, COUNT = (int(os.environ.get(name, default))
                for name, default in (("FIRST", 0), ("COUNT", 10)))
F64 = torch.float64
WINDOWS = [None, None, (3, 1), (5, 0), (None, 2), (2, None), (40, 3),
           lattn.Window(bucket=4, back=1), lattn.Window(bucket=5, forward=2),
           lattn.Window(left=3, bucket=4, back=1), lattn.Window(right=2, bucket=6, back=1)]
MODS = [lambda t, n: lambda s, b, h, i, j: s + t["slopes"][h] * (j - i),
        lambda t, n: lambda s, b, h, i, j: s + t["table"][j - i + n, h],
        lambda t, n: lambda s, b, h, i, j: torch.tanh(s) * t["gate"][b, h] + t["one"] * s,
        lambda t, n: lambda s, b, h, i, j: lattn.math.where(
            i % 3 == j // 2, lattn.math.exp(-s * s), s / (1 + s.abs())),
        lambda t, n: lambda s, b, h, i, j: lattn.math.where(s > .1, s.sqrt(), s ** 3) + (
            lattn.math.where(i == j, 0.0, t["one"] / (i - j)))]
READ = ["slopes"], ["table"], ["gate", "one"], [], ["one"]


NONE = {**dict.fromkeys(("bias", "key_mask", "attn_mask", "kv_lengths", "offset", "sink",
                         "q_segments", "kv_segments", "cu_seqlens_q", "cu_seqlens_k",
                         "window", "scale", "seed")),
        "causal": False, "layout": "bhnd", "softcap": 0., "dropout_p": 0.}


class Case:
    """Leaves to differentiate by, and lattn.attention as a function of them."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        self.b, hkv = (int(x) for x in rng.integers(1, 4, 2))
        self.h = hkv * int(rng.integers(1, 4))
        self.n, self.m = (int(rng.integers(1, top)) for top in (40, 50))
        d, dv = rng.integers(1, 12, 2)
        layout = str(rng.choice(["bhnd", "bnhd"]))
        packed = rng.random() < .2
        rows, keys, batches = self.n, self.m, self.b
        options = self.options = {
            "layout": layout, "causal": bool(rng.random() < .3),
            "window": WINDOWS[rng.integers(len(WINDOWS))], "return_lse": True}
        if packed:
            sizes = rng.integers(0, 15, (2, self.b))
            borders = np.concatenate([np.zeros((2, 1), int), sizes.cumsum(1)], 1)
            options |= {f"cu_seqlens_{x}": torch.as_tensor(y)
                        for x, y in zip("qk", borders)}
            (rows, keys), batches = borders[:, -1], 1
            self.n, self.m = (max(int(x.max()), 0) for x in sizes)
        self.leaves = {}
        for name, heads, count, size in (("q", self.h, rows, d), ("k", hkv, keys, d),
                                         ("v", hkv, keys, dv)):
            axes = (heads, count) if layout == "bhnd" else (count, heads)
            self.leaves[name] = self.tensor(batches, *axes, size)
        self.add_numbers(packed)
        self.add_arrays()
        self.add_mods()

    def tensor(self, *shape):
        return torch.as_tensor(self.rng.standard_normal([int(n) for n in shape]))

    def add_numbers(self, packed):
        rng, options = self.rng, self.options
        if rng.random() < .3:
            options["offset"] = int(rng.integers(-6, 9))
        elif rng.random() < .3:
            options["offset"] = torch.as_tensor(rng.integers(-6, 9, self.b))
        if rng.random() < .3 and not packed:
            options["kv_lengths"] = torch.as_tensor(rng.integers(0, self.m + 1, self.b))
        if rng.random() < .3:
            options |= {"dropout_p": .4, "seed": int(rng.integers(-99, 99)) << 20}
        if rng.random() < .2:
            options["softcap"] = 2.0
        if rng.random() < .2:
            options["scale"] = -.7

    def add_arrays(self):
        rng, options = self.rng, self.options
        full = (self.b, self.h, self.n, self.m)
        if rng.random() < .3:
            self.leaves["sink"] = self.tensor(self.h)
        if rng.random() < .3:
            options["key_mask"] = torch.as_tensor(rng.random((self.b, self.m)) < .7)
        if rng.random() < .3:
            options |= {f"{x}_segments": torch.as_tensor(rng.integers(
                0, 2, (self.b, y), np.int32)) for x, y in (("q", self.n), ("kv", self.m))}
        for name in ("bias", "attn_mask"):
            if rng.random() < .4:
                shape = [n if rng.random() < .6 else 1 for n in full][rng.integers(5):]
                self.leaves[name] = self.tensor(*shape)
        if "attn_mask" in self.leaves and rng.random() < .5:
            options["attn_mask"] = self.leaves.pop("attn_mask") < .7

    def add_mods(self):
        rng, self.read, self.mod = self.rng, [], None
        if rng.random() < .35:
            kind = rng.integers(len(MODS))
            self.mod, self.read = MODS[kind], READ[kind]
        shapes = {"slopes": [self.h], "table": [self.n + self.m, self.h],
                  "gate": [self.b, self.h], "one": []}
        self.leaves |= {name: self.tensor(*shapes[name]) for name in self.read}
        if rng.random() < .2:
            size = int(rng.integers(2, 5))
            self.options["mask_mod"] = lambda b, h, i, j: (i + j) % size != h

    def __call__(self, *xs):
        """(output, lse), whose sums may be read."""
        given = dict(zip(self.leaves, xs))
        options = dict(self.options)
        if self.mod is not None:
            options["score_mod"] = self.mod({x: given.pop(x) for x in self.read}, self.n)
        rows = [given.pop(x) for x in "qkv"]
        out, lse = lattn.attention(*rows, **options, **given)
        return out, torch.where(lse.isinf(), 0, lse)

    def random(self):
        return tuple(self.tensor(*x.shape) for x in self.leaves.values())


def total(function, xs):
    out, lse = function(*xs)
    return out.sin().sum() + lse.square().sum()


def find_first(case, xs, tangents):
    xs = [x.clone().requires_grad_() for x in xs]
    return torch.autograd.grad(total(case, xs), xs)


def find_second(case, xs, tangents):
    xs = [x.clone().requires_grad_() for x in xs]
    first = torch.autograd.grad(total(case, xs), xs, create_graph=True)
    return torch.autograd.grad(sum((x * t).sum() for x, t in zip(first, tangents[0])), xs)


def find_tangents(case, xs, tangents):
    with forward_ad.dual_level():
        made = case(*map(forward_ad.make_dual, xs, tangents[0]))
        return [forward_ad.unpack_dual(x).tangent for x in made]


def find_tangents_twice(case, xs, tangents):
    first, second, both = tangents

    def slope(*xs):
        return torch.func.jvp(case, xs[:len(first)], xs[len(first):])[1]
    return torch.func.jvp(slope, (*xs, *first), (*second, *both))[1]


def find_tangents_of_gradients(case, xs, tangents):
    places = tuple(range(len(xs)))

    def gradients(*xs):
        return torch.func.grad(lambda *xs: total(case, xs), places)(*xs)
    return torch.func.jvp(gradients, tuple(xs), tangents[0])[1]


@pytest.fixture
def by_tiles(monkeypatch):
    """Turns tiles on, of few pairs, so that there are several."""
    def turn_on(pairs):
        monkeypatch.setattr(_tiles, "are_needed", lambda q: True)
        monkeypatch.setattr(_tiles, "warn", lambda what: None)
        monkeypatch.setattr(_attention_operators, "_find_refused", lambda *_: "all")
        monkeypatch.setattr(_tile_formula, "MOST_PAIRS", pairs)
        monkeypatch.setattr(_tile_formula, "LEAST_QUERIES", 4)
    return turn_on


KINDS = (find_first, find_tangents, find_second, find_tangents_twice,
         find_tangents_of_gradients)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_sweep(seed, by_tiles):
    case = Case(seed)
    xs = tuple(case.leaves.values())
    tangents = [case.random() for _ in range(3)]
    kinds = [KINDS[0], KINDS[1], KINDS[2 + seed % 3]]
    want = [find(case, xs, tangents) for find in kinds]
    by_tiles(int(case.rng.choice([30, 300, 1 << 22])))
    for find, x in zip(kinds, want):
        torch.testing.assert_close(tuple(find(case, xs, tangents)), tuple(x), rtol=1e-8,
                                   atol=1e-8, msg=lambda m: f"{find.__name__}: {m}")


@pytest.mark.parametrize("window", WINDOWS[2:], ids=str)
def test_offsets_of_batches(window, monkeypatch):
    """Where keys begin is not read if each batch has an offset. One is, and shows the
    same."""
    monkeypatch.setattr(_tile_formula, "MOST_PAIRS", 200)
    rng = np.random.default_rng(0)
    q, k, v, cotangent = (torch.as_tensor(rng.standard_normal((3, 2, n, 4)))
                          for n in (20, 60, 60, 20))
    offsets = torch.tensor([-5, 17, 49])

    def find(q, k, v, cotangent, offset):
        arrays, options = _attention.read(q, k, v, NONE | {
            "window": window, "offset": offset, "dropout_p": .4, "seed": 3})
        found = [torch.empty_like(x) for x in (q, k, v)]
        _tiles.pull_back(arrays, options, (cotangent, cotangent[..., 0]), found, None, ())
        return [*found, *_tiles.push_forward(arrays, options, [q, k, v], (
            cotangent, cotangent[..., 0]), None)]
    found = find(q, k, v, cotangent, offsets)
    for b, offset in enumerate(offsets.tolist()):
        # Random numbers depend on the batch, so the others are there, too.
        one = find(q, k, v, cotangent, offset)
        for x, y in zip(found, one):
            torch.testing.assert_close(x[b], y[b])


def find_all(case, xs, tangents):
    return [x for find in KINDS for x in find(case, xs, tangents)]


def test_hidden_numbers(by_tiles):
    """NaN changes nothing where it is hidden: keys behind the length, and a query that
    sees none, with its tangents."""
    def case(q, k, v):
        out, lse = lattn.attention(q, k, v, window=(2, 0), offset=-1, kv_lengths=lengths,
                                   return_lse=True)
        return out, torch.where(lse.isinf(), 0, lse)
    lengths = torch.tensor([9, 5])
    rng = np.random.default_rng(0)
    groups = [tuple(torch.as_tensor(rng.standard_normal((2, 2, n, 4))) for n in (
        7, 9, 9)) for _ in range(4)]
    by_tiles(40)
    want = find_all(case, groups[0], groups[1:])
    for xs in groups:
        xs[0][:, :, 0] = np.nan
        for x in xs[1:]:
            x[1, :, 5:] = np.nan
    found = find_all(case, groups[0], groups[1:])
    assert all(x.isfinite().all() for x in want)
    for x, y in zip(found, want):
        torch.testing.assert_close(x, y)


class Sizes(TorchDispatchMode):
    most = 0

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        made = function(*arguments, **(options or {}))
        for x in torch.utils._pytree.tree_leaves(made):
            if isinstance(x, torch.Tensor) and x.untyped_storage().nbytes() > self.most:
                self.most = x.untyped_storage().nbytes()
        return made


def read(**options):
    """The arguments of tiles, on a device that has no memory: what is read, or lies on
    another device, is an error."""
    with torch.device("meta"):
        q = torch.empty(2, 4, 260, 8, dtype=torch.bfloat16)
        k, v = (torch.empty(2, 2, 300, 8, dtype=torch.bfloat16) for _ in "kv")
        options = {name: x() if callable(x) else x for name, x in options.items()}
    arrays, options = _attention.read(q, k, v, NONE | options)
    with torch.device("meta"):
        output, lse = torch.empty_like(q), torch.empty(2, 4, 260)
    return list(arrays), options, output, lse


@pytest.mark.parametrize("options", [
    dict(window=(20, 3), dropout_p=.5, seed=3, sink=lambda: torch.empty(4)),
    dict(window=(20, 3), offset=lambda: torch.empty(2, dtype=torch.int64),
         bias=lambda: torch.empty(1, 300), dropout_p=.5, seed=3),
    dict(window=lattn.Window(bucket=16, back=1), kv_lengths=lambda: torch.empty(
        2, dtype=torch.int32), key_mask=lambda: torch.empty(2, 300, dtype=torch.bool)),
    dict(window=(30, 0), attn_mask=lambda: torch.empty(260, 1), softcap=2.0,
         q_segments=lambda: torch.empty(2, 260, dtype=torch.int32),
         kv_segments=lambda: torch.empty(2, 300, dtype=torch.int32))], ids=str)
def test_devices(options, monkeypatch):
    monkeypatch.setattr(_tile_formula, "MOST_PAIRS", 1 << 15)
    arrays, options, output, lse = read(**options)
    inputs = [arrays[i] for i in _operands.PLACES]
    table = torch.empty(4, 300, dtype=torch.bfloat16, device="meta")
    score = _scores.trace(
        (lambda s, b, h, i, j: s * table[h, j] + 1, None, None, None), "f32",
        (2, 4, 260, 300), lambda x, _: ("bfloat16", tuple(x.shape)))
    with Sizes() as sizes:
        for traced, more in ((None, ()), (score, (table,))):
            found = [None if x is None else torch.empty_like(x) for x in inputs]
            _tiles.pull_back(arrays, options, (output, lse), found, traced, more)
            tangents = (*inputs, *more)
            results = _tiles.push_forward(arrays, options, tangents, (output, lse), traced)
            twice = _tiles.push_forward_twice(arrays, options, (tangents,) * 3,
                                              (output, lse), traced)
            for made in (results, twice):
                assert [x.shape for x in made] == [output.shape, lse.shape]
                assert [x.dtype for x in made] == [output.dtype, lse.dtype]
            names = dict(zip((*_operands.INPUTS, "c0"), tangents))
            names = {name: x for name, x in names.items() if x is not None}
            made = dict(names)
            _tiles.pull_back_twice(arrays, options, (output, lse), names, made, traced)
            assert {*made} == {*names, "d_output", "d_lse"}
            assert all(x.is_meta for x in made.values())
    # Of f32, and words of random numbers are of 64 bits.
    assert sizes.most <= 4 * 8 * _tile_formula.MOST_PAIRS


M = lattn.math
PROGRAMS = {  # one for each kind of number, and those of which a part is guarded
    "everywhere": lambda s, b, h, i, j: sum(f(s) for f in (
        M.abs, M.ceil, M.cos, M.erf, M.exp, M.exp2, M.expm1, M.floor, M.reciprocal,
        M.round, M.sigmoid, M.sign, M.sin, M.square, M.tan, M.tanh, M.trunc)),
    "guarded": lambda s, b, h, i, j: sum(M.where(s > 0, f(s), -1.0) for f in (
        M.log, M.log2, M.log10, M.log1p, M.sqrt, M.rsqrt, lambda s: s ** .5)),
    "two": lambda s, b, h, i, j: (
        s ** 3 + s ** -2 + 2.5 ** s + s // .3 + s % .4 + M.clip(s, -.5, .5)
        + M.maximum(s, .2) + M.fmin(s, .2) + s.int() * .5 + M.where(M.isnan(s), 0., s)),
    "integers": lambda s, b, h, i, j: s + .1 * (
        (i * 7 - j) // 3 % 4 + (i ^ j) + ((i << 2) >> 1) + (j & 3) + (i | 1) - abs(i - j)
        + M.minimum(i, j) + i // M.where(j == 2, 0, j - 3) + ~i
        + ((i < j) & (j != 4) | ~(i >= 3)).float())}


@pytest.mark.parametrize("name", PROGRAMS)
def test_functions(name, by_tiles):
    rng = np.random.default_rng(1)
    xs = [torch.as_tensor(rng.standard_normal((1, 1, n, 4))) for n in (6, 7, 7)]

    def case(*xs):
        return lattn.attention(*xs, score_mod=PROGRAMS[name], return_lse=True)
    tangents = [xs]
    want = find_first(case, xs, tangents), find_second(case, xs, tangents)
    by_tiles(30)
    torch.testing.assert_close(
        (find_first(case, xs, tangents), find_second(case, xs, tangents)), want)


def test_surroundings(by_tiles):
    """Autocast, and hooks of saved tensors, as of checkpoints, change nothing."""
    q, k, v, row = (torch.randn(1, 2, 30, 8) for _ in range(4))
    bias = row[:, :, :1, :1].expand(1, 2, 1, 30).contiguous()
    by_tiles(300)

    def attend(*xs):
        return lattn.attention(*xs, bias=bias, window=(5, 0))
    xs = tuple(x.bfloat16() for x in (q, k, v))
    want = torch.func.jvp(attend, xs, xs)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for x, y in zip(want, torch.func.jvp(attend, (q, k, v), (q, k, v))):
            assert torch.equal(x, y)

    def slope(*xs):
        with forward_ad.dual_level():
            return forward_ad.unpack_dual(attend(*map(forward_ad.make_dual, xs, xs)))
    leaves = [x.clone().requires_grad_() for x in (q, k, v)]
    first = torch.autograd.grad(slope(*leaves).tangent.sum(), leaves)
    again = checkpoint(lambda *xs: slope(*xs).tangent, *leaves, use_reentrant=False)
    with torch.autograd.graph.save_on_cpu():
        second = torch.autograd.grad(again.sum(), leaves)
    assert all(map(torch.equal, first, second))


def test_warnings(monkeypatch):
    """One for each thing that is computed so; the numbers are those of kernels."""
    monkeypatch.setattr(_tiles, "are_needed", lambda q: True)
    _formula.warn.cache_clear()
    q, k, v = (torch.randn(1, 2, 5, 4).requires_grad_() for _ in "qkv")
    row, full = torch.randn(1, 5).requires_grad_(), torch.randn(5, 5).requires_grad_()
    slopes, borders = torch.randn(2).requires_grad_(), torch.tensor([0, 2, 5])
    packed = {"cu_seqlens_q": borders, "cu_seqlens_k": borders}
    cases = {
        "a bias that queries or keys share": {"bias": row},
        "a mask of numbers that queries or keys share": {"attn_mask": row},
        "a mask of numbers beside a bias": {"bias": full.detach(), "attn_mask": full},
        "a bias of packed sequences": {"bias": full[:3, :3], **packed},
        "the arrays that score_mod reads": {
            "score_mod": lambda s, b, h, i, j: s * slopes[h]}}
    for what, options in cases.items():
        loss = lattn.attention(q, k, v, **options).square().sum()
        with pytest.warns(UserWarning, match=f"have no kernel for gradients of {what} yet: "
                          "torch's operations compute them"):
            loss.backward()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lattn.attention(q, k, v, bias=row).sum().backward()
        lattn.attention(q, k, v, bias=full).sum().backward()  # by a kernel
    with pytest.warns(UserWarning, match="no kernel for tangents yet"):
        torch.func.jvp(lambda q: lattn.attention(q, k.detach(), v.detach()), (q.detach(),),
                       (q.detach(),))
    out = lattn.attention(q, k, v).square().sum()
    gradients = torch.autograd.grad(out, [q, k, v], create_graph=True)
    with pytest.warns(UserWarning, match="no kernel for second derivatives yet"):
        sum(x.square().sum() for x in gradients).backward()
