# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Gradients of lattn.attention, against autograd of the formula in float64.

import functools

import pytest
import torch
import torch.utils.checkpoint

import lattn
from dense import F64, dense, inputs, leaf


def check(arrays, dtype=F64, tolerance=1e-10, sink=None, **options):
    """The gradients of output and lse by q, k, v and the sink."""
    given = [*arrays, *([] if sink is None else [sink])]
    ours = [leaf(x, dtype) for x in given]
    theirs = [leaf(x, F64) for x in ours]

    def run(function, xs, **more):
        return function(*xs[:3], **options, **more,
                        **({} if sink is None else {"sink": xs[3]}))
    found = run(lattn.attention, ours, return_lse=True)
    expected = run(dense, theirs)
    torch.manual_seed(1)
    cotangents = [torch.randn(x.shape).to(x.dtype) for x in found]
    grads = torch.autograd.grad(found, ours, cotangents)
    wanted = torch.autograd.grad(expected, theirs,
                                 [x.double() for x in cotangents])
    for x, y in zip((*found, *grads), (*expected, *wanted)):
        torch.testing.assert_close(x.double(), y, rtol=tolerance, atol=tolerance)


OPTIONS = {
    "plain": {}, "scale": dict(scale=0.3, causal=True, offset=0),
    "window": dict(window=(3, 1)), "empty rows": dict(window=(1, 0), offset=-3),
    "buckets": dict(window=lattn.Window(bucket=3, back=1), causal=True),
    "bnhd": dict(layout="bnhd", causal=True),
    "arrays": dict(
        causal=True, bias=torch.randn(4, 7, 9, dtype=F64), offset=3,
        key_mask=torch.arange(18).view(2, 9) % 4 > 0,
        kv_lengths=torch.tensor([5, 9])),
    "offsets": dict(causal=True, offset=torch.tensor([1, -2])),
    "sink": dict(sink=torch.randn(4, dtype=F64), window=(2, 0), offset=-3),
    "dropout": dict(dropout_p=0.4, seed=7),
    "mask": dict(attn_mask=torch.arange(63).view(7, 9) % 3 > 0),
    "numbers": dict(attn_mask=torch.randn(2, 1, 7, 9, dtype=F64)),
    "both": dict(attn_mask=torch.randn(7, 9, dtype=F64),
                 bias=torch.randn(7, 9, dtype=F64)),
    "softcap": dict(softcap=0.7, causal=True),
    "segments": dict(q_segments=torch.arange(14).view(2, 7) // 4,
                     kv_segments=torch.arange(18).view(2, 9) // 4)}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_options(options):
    check(inputs(layout=options.get("layout", "bhnd")), **options)


@pytest.mark.parametrize("dtype, tolerance", [
    (torch.float32, 1e-5), (torch.bfloat16, 4e-2), (torch.float16, 4e-3)])
def test_types(dtype, tolerance):
    arrays = inputs(70, 70, 16, 16)
    check(arrays, dtype, tolerance, window=(20, 3))
    check(arrays, dtype, tolerance, dropout_p=0.4, seed=7)


def test_score_mod():
    slopes = torch.rand(4, dtype=F64)
    check(inputs(), score_mod=lambda s, b, h, i, j: s * s + slopes[h] * (j - i),
          mask_mod=lambda b, h, i, j: i != j)


def test_sizes():
    for sizes in (dict(n=1), dict(n=40, m=90, h=1, hkv=1), dict(h=6, hkv=3, b=1)):
        check(inputs(**sizes), causal=True)
    # A tile holds heads that share keys: the last one is not full.
    for queries, heads in ((1, 37), (2, 20), (3, 13)):
        check(inputs(queries, 300, h=heads, hkv=1), torch.float32, 1e-5)
        check(inputs(queries, 300, h=heads, hkv=1))
    for q, k, v in (inputs(n=0), inputs(m=0), inputs(b=0)):
        xs = [leaf(x) for x in (q, k, v)]
        lattn.attention(*xs).sum().backward()
        assert all((x.grad == 0).all() for x in xs)


@pytest.mark.parametrize("n", [1, 3, 16, 17])
def test_few_queries(n):
    """Several parts of keys, and tiles of heads that share keys, or of one head."""
    arrays = inputs(n, 600, h=6)
    for options in ({}, dict(window=(300, 0)), dict(dropout_p=0.4, seed=7), dict(
            sink=torch.randn(6, dtype=F64), kv_lengths=torch.tensor([0, 590]),
            key_mask=torch.arange(1200).view(2, 600) % 7 > 0)):
        check(arrays, **options)
    check(arrays, torch.bfloat16, 4e-2, causal=True)


@pytest.mark.parametrize("layout", ["bhnd", "bnhd"])
@pytest.mark.parametrize("size, value_size", [(1, 1), (1, 7), (7, 1)])
def test_heads_of_one_element(size, value_size, layout):
    """The gradient of a head's only query is one element."""
    xs = inputs(1, 7, size, value_size, h=1, hkv=1, layout=layout)
    found = [torch.autograd.grad(out.sin().sum(), leaves) for leaves, out in (
        (leaves, function(*leaves, layout=layout)) for leaves, function in (
            ([leaf(x) for x in xs], lattn.attention),
            ([leaf(x) for x in xs], lambda *x, **o: dense(*x, **o)[0])))]
    torch.testing.assert_close(*found)


def test_gradcheck():
    xs = [leaf(x) for x in inputs(5, 6, 4, 4)]
    torch.autograd.gradcheck(lambda *x: lattn.attention(
        *x, causal=True, return_lse=True), xs)


def test_cotangents():
    xs = [leaf(x) for x in inputs()]
    out, lse = lattn.attention(*xs, return_lse=True)
    g = torch.randn(2, 1, 7, 1, dtype=F64)
    for outputs, cotangents in (
            ([out], [g.expand(out.shape)]), ([lse], [torch.ones_like(lse)]),
            ([out], [torch.randn(2, 7, 8, 4, dtype=F64).permute(0, 3, 1, 2)]),
            ([out, lse], [g.expand(out.shape), g[..., 0].expand(lse.shape)])):
        found = torch.autograd.grad(outputs, xs, cotangents, retain_graph=True)
        found = found if outputs[0] is out else found[:2]  # not of v
        dense_xs = [leaf(x) for x in xs]
        a, b = dense(*dense_xs)
        wanted = torch.autograd.grad(
            [a if x is out else b for x in outputs], dense_xs[:len(found)],
            cotangents)
        torch.testing.assert_close(found, wanted)


def test_memory():
    packed = torch.randn(2, 6, 3, 4, 8, dtype=F64, requires_grad=True)
    q, k, v = packed.transpose(1, 3).unbind(2)
    lattn.attention(q, k[:, :1].expand_as(k), v).square().sum().backward()
    other = leaf(packed)
    q, k, v = other.transpose(1, 3).unbind(2)
    dense(q, k[:, :1].expand_as(k), v)[0].square().sum().backward()
    torch.testing.assert_close(packed.grad, other.grad)


def test_part_of_the_inputs():
    q, k, v = inputs()
    v = leaf(v)
    out = lattn.attention(q, k, v)
    assert torch.equal(out, lattn.attention(q, k, v.detach()))
    out.sum().backward()
    with torch.no_grad():
        assert not lattn.attention(q, k, v).requires_grad


def test_changed_in_place():
    q, k, v = (leaf(x) for x in inputs())
    for changed in (q, lattn.attention(q, k, v)):
        out = changed if changed is not q else lattn.attention(q, k, v)
        with torch.no_grad():
            changed.mul_(2)
        with pytest.raises(RuntimeError, match="modified by an inplace"):
            out.sum().backward()
    slopes = torch.rand(4, dtype=F64)
    out = lattn.attention(q, k, v, score_mod=lambda s, b, h, i, j: s * slopes[h])
    slopes.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        out.sum().backward()


def test_dropout_draws_once():
    xs = [leaf(x) for x in inputs(20, 20, 8)]
    torch.manual_seed(3)
    lattn.attention(*xs, dropout_p=0.5).sum().backward()
    torch.manual_seed(3)
    seed = torch.randint(2**63 - 1, ()).item()
    ys = [leaf(x) for x in xs]
    dense(*ys, dropout_p=0.5, seed=seed)[0].sum().backward()
    for x, y in zip(xs, ys):
        torch.testing.assert_close(x.grad, y.grad)


def test_what_has_no_gradients():
    q, k, v = (leaf(x) for x in inputs())
    with pytest.raises(NotImplementedError, match="out is not built"):
        lattn.attention(q, k, v, out=torch.empty(2, 4, 7, 8, dtype=F64))
    with pytest.raises(NotImplementedError, match="k: gradients"):
        lattn.attention(q.detach().numpy(), k, v)


def loss(q, k, v):
    return lattn.attention(q, k, v, window=(3, 0)).square().sum()


def wanted(xs):
    xs = [leaf(x) for x in xs]
    dense(*xs, window=(3, 0))[0].square().sum().backward()
    return [x.grad for x in xs]


def test_transforms():
    xs = inputs()
    grad = torch.func.grad(loss, argnums=(0, 1, 2))
    torch.testing.assert_close([*grad(*xs)], wanted(xs))
    rows = [torch.stack((x, x + 1)) for x in xs]
    found = torch.vmap(grad)(*rows)
    other = torch.func.grad(lambda *x: torch.vmap(loss)(*x).sum(),
                            argnums=(0, 1, 2))(*rows)
    for row in range(2):
        expected = wanted([x[row] for x in rows])
        torch.testing.assert_close([x[row] for x in found], expected)
        torch.testing.assert_close([x[row] for x in other], expected)


def test_second_derivatives_of_checkpoint():
    def run(call):
        xs = [leaf(x) for x in inputs()]
        found = torch.autograd.grad(call(*xs), xs, create_graph=True)
        sum(x.square().sum() for x in found).backward()
        return [x.grad for x in xs]
    checkpoint = functools.partial(torch.utils.checkpoint.checkpoint, loss,
                                   use_reentrant=False)
    torch.testing.assert_close(run(checkpoint), run(loss))


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoint(reentrant):
    xs = [leaf(x) for x in inputs()]
    torch.utils.checkpoint.checkpoint(loss, *xs, use_reentrant=reentrant
                                      ).backward()
    torch.testing.assert_close([x.grad for x in xs], wanted(xs))
    # The same weights are dropped when it is computed again.
    drop = lambda *x: lattn.attention(*x, dropout_p=0.5)
    found = []
    for run in (drop, lambda *x: torch.utils.checkpoint.checkpoint(
            drop, *x, use_reentrant=reentrant)):
        torch.manual_seed(2)
        for x in xs:  # reentrant checkpoints take backward() alone
            x.grad = None
        run(*xs).sum().backward()
        found.append([x.grad for x in xs])
    torch.testing.assert_close(*found, rtol=0, atol=0)


def test_autocast():
    project = torch.nn.Linear(8, 24)
    x = torch.randn(2, 9, 8)
    with torch.autocast("cpu", torch.bfloat16):
        q, k, v = project(x).view(2, 9, 3, 2, 4).unbind(2)
        out = lattn.attention(q, k, v, layout="bnhd")
        assert out.dtype == torch.bfloat16
        out.sum().backward()
    assert project.weight.grad.dtype == torch.float32
    assert project.weight.grad.abs().max() > 0


def test_scaled_dot_product_attention():
    q, k, v = (leaf(x) for x in inputs(9, 9, h=2))
    theirs = [leaf(x) for x in (q, k, v)]
    for function, xs in ((lattn.scaled_dot_product_attention, (q, k, v)),
                         (torch.nn.functional.scaled_dot_product_attention,
                          theirs)):
        function(*xs, is_causal=True).square().sum().backward()
        function(xs[0][0], xs[1], xs[2][:1]).square().sum().backward()
    torch.testing.assert_close([q.grad, k.grad, v.grad],
                               [x.grad for x in theirs])
