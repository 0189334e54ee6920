# REQUIRES: slow, torch
# RUN: %cached_pytest %s

# Second derivatives of packed sequences, against torch's in float64 of the formula on
# padded sequences.

import pytest
import torch

import lattn
from dense import F64, dense, leaf

QUERIES, KEYS = [5, 0, 7, 1, 3], [6, 2, 7, 0, 4]
HEADS, SIZE = 4, 8
NUMBER, N, M = len(QUERIES), max(QUERIES), max(KEYS)
torch.manual_seed(0)
OPTIONS = {
    "plain": dict(),
    "score": dict(score_mod=lambda s, b, h, i, j: s * s * (b + j) * 0.1,
                  mask_mod=lambda b, h, i, j: (i + j + b) % 3 != 1),
    "mask of all": dict(attn_mask=torch.randn(N, M, dtype=F64)),
    "window": dict(window=(3, 1), scale=0.3, layout="bnhd"),
    "offset": dict(causal=True, offset=torch.tensor([1, 0, -2, 3, 2]), softcap=0.7),
    "one offset": dict(causal=True, offset=2),
    "masks": dict(key_mask=torch.arange(NUMBER * M).view(NUMBER, M) % 4 > 0,
                  attn_mask=torch.randn(NUMBER, 1, N, M, dtype=F64)),
    "dropout": dict(sink=torch.randn(HEADS, dtype=F64), window=(4, 0), dropout_p=0.4,
                    seed=7),
    "bias": dict(bias=torch.randn(HEADS, N, M, dtype=F64), dropout_p=0.3, seed=9),
    "biases": dict(bias=torch.randn(NUMBER, 1, 1, M, dtype=F64), causal=True,
                   layout="bnhd")}


def get_borders(lengths):
    return torch.tensor([0, *lengths]).cumsum(0)


def pad(x, lengths, axis):
    most = max(lengths)
    parts = [torch.nn.functional.pad(
        part.movedim(axis, -1), (0, most - part.shape[axis])).movedim(-1, axis)
        for part in x.split(lengths, axis)]
    return torch.cat(parts)


def pack(x, lengths, axis):
    return torch.cat([part.narrow(axis, 0, n)[None] for part, n in zip(x, lengths)],
                     axis + 1)


def of_formula(sides, options):
    axis = 1 if options.get("layout") == "bnhd" else 2
    rows, keys = (QUERIES if "q" in sides else [N] * NUMBER,
                  KEYS if "k" in sides else [M] * NUMBER)

    def run(q, k, v, **more):
        if "q" in sides:
            q = pad(q, QUERIES, axis)
        if "k" in sides:
            k, v = (pad(x, KEYS, axis) for x in (k, v))
        lengths = torch.tensor(keys)
        offset = options.get("offset", lengths - torch.tensor(rows))
        out, lse = dense(q, k, v, kv_lengths=lengths, **options | more | dict(
            offset=offset))
        if "q" not in sides:
            return out, lse
        return pack(out, QUERIES, axis - 1), pack(lse, QUERIES, 1)
    return run


def of_ours(sides, options):
    given = {"cu_seqlens_q": get_borders(QUERIES), "cu_seqlens_k": get_borders(KEYS)}
    packed = {name: x for name, x in given.items() if name[-1] in sides}

    def run(q, k, v, **more):
        return lattn.attention(q, k, v, **options | more | packed, return_lse=True)
    return run


def make_inputs(sides, layout):
    def rows(side, heads, lengths, most):
        shape = [1, heads, sum(lengths)] if side in sides else [NUMBER, heads, most]
        x = torch.randn(*shape, SIZE, dtype=F64)
        return x.transpose(1, 2).contiguous() if layout == "bnhd" else x

    torch.manual_seed(1)
    return [rows("q", HEADS, QUERIES, N), *(rows("k", 2, KEYS, M) for _ in "kv")]


def differentiate_twice(function, xs, names, kind=F64):
    leaves = [leaf(x, kind) for x in xs]
    results = function(*leaves[:3], **dict(zip(names, leaves[3:])))
    # No sum reads the log-sum-exp of rows that see nothing: -inf.
    results = [torch.where(x.isinf(), 0, x) for x in results]
    first = torch.autograd.grad(sum(x.sin().sum() for x in results), leaves,
                                create_graph=True)
    torch.manual_seed(2)
    product = sum((x * torch.randn(x.shape, dtype=F64).to(kind)).sum() for x in first)
    return torch.autograd.grad(product, leaves)


@pytest.mark.parametrize("sides", ["qk", "q", "k"])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_options(options, sides):
    names = [name for name in ("sink", "bias", "attn_mask") if name in options]
    xs = [*make_inputs(sides, options.get("layout")), *(options[x] for x in names)]
    found, expected = (differentiate_twice(make(sides, options), xs, names)
                       for make in (of_ours, of_formula))
    for name, a, b in zip(["q", "k", "v", *names], found, expected):
        torch.testing.assert_close(a, b, msg=lambda text: f"{name}: {text}")


@pytest.mark.parametrize("kind, tolerance", [(torch.float32, 1e-4),
                                             (torch.bfloat16, 0.1)])
def test_types(kind, tolerance):
    xs = [x.to(kind).to(F64) for x in make_inputs("qk", "bhnd")]
    options = dict(window=(3, 1))
    found = differentiate_twice(of_ours("qk", options), xs, [], kind)
    expected = differentiate_twice(of_formula("qk", options), xs, [])
    for a, b in zip(found, expected):
        torch.testing.assert_close(a.to(F64), b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("sides", ["qk", "q", "k"])
def test_captured(sides):
    """Sequences add to the gradients of what a score reads."""
    xs = [*make_inputs(sides, "bhnd"), torch.rand(HEADS, dtype=F64)]

    def bind(function):
        return lambda q, k, v, slopes: function(
            q, k, v, score_mod=lambda s, b, h, i, j: s * slopes[h] + s * s * (b + j))
    torch.testing.assert_close(*(
        differentiate_twice(bind(make(sides, {})), xs, ["slopes"])
        for make in (of_ours, of_formula)))


def test_of_torch_func():
    """Products of the Hessian and a vector, in four orders."""
    q, k, v = make_inputs("qk", "bhnd")
    grad, jvp, found = torch.func.grad, torch.func.jvp, []
    for make in (of_ours, of_formula):
        def total(q):
            return make("qk", {})(q, k, v)[0].sin().sum()

        found.append([
            grad(lambda q: (grad(total)(q) * v.mean()).sum())(q),
            jvp(grad(total), (q,), (q.cos(),))[1],
            jvp(lambda q: jvp(total, (q,), (v.mean() * q,))[1], (q,), (q.cos(),))[1],
            grad(lambda q: jvp(total, (q,), (q.cos().detach(),))[1])(q)])
    torch.testing.assert_close(*found)
