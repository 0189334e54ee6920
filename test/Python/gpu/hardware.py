"""lattn.attention on a GPU that is there: options, layouts, views, streams, graphs."""

# REQUIRES: gpu, torch
# RUN: %pytest %s

import math

import pytest
import torch

import lattn
import lattn.math

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
# Weights and outputs are rounded to 8 or 11 bits.
TOLERANCES = {torch.bfloat16: 2.0 ** -7, torch.float16: 2.0 ** -9}


def make(*shape, dtype=torch.bfloat16, seed=0):
    generator = torch.Generator("cuda").manual_seed(seed)
    return torch.randn(*shape, device="cuda", dtype=dtype, generator=generator)


def inputs(b=2, h=4, hkv=2, n=200, m=200, d=64, dtype=torch.bfloat16):
    return (make(b, h, n, d, dtype=dtype), make(b, hkv, m, d, dtype=dtype, seed=1),
            make(b, hkv, m, d, dtype=dtype, seed=2))


def expect(q, k, v, change=None, hidden=None, sink=None):
    """Output and lse in f64; `change` of scores, `hidden` of pairs."""
    groups = q.shape[1] // k.shape[1]
    q, k, v = q.double(), *(x.double().repeat_interleave(groups, 1) for x in (k, v))
    s = q @ k.mT * q.shape[-1] ** -0.5
    s = change(s) if change else s
    if hidden is not None:
        s = s.masked_fill(hidden, -math.inf)
    lse = s.logsumexp(-1)
    weights = s.softmax(-1).nan_to_num(0)
    if sink is not None:
        sink = sink.double()[None, :, None]
        weights = weights * torch.sigmoid(lse - sink)[..., None]
        lse = torch.logaddexp(lse, sink)
    return weights @ v, lse


def check(out, want, dtype=torch.bfloat16):
    error = (out.double() - want).abs() / want.abs().clamp(min=1)
    assert out.isfinite().all() and error.max() <= TOLERANCES[dtype], error.max()


def positions(n, m):
    i, j = (torch.arange(x, device="cuda") for x in (n, m))
    return i[:, None] + m - n, j[None]


def hide(window, n, m):
    """The pairs that a window hides."""
    i, j = positions(n, m)
    left, right = window
    hidden = torch.zeros(n, m, dtype=bool, device="cuda")
    hidden |= (j < i - left) if left is not None else hidden
    return hidden | (j > i + right) if right is not None else hidden


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("n,m,d", [(200, 200, 64), (1, 700, 128), (65, 130, 72),
                                   (5, 300, 33), (300, 300, 256)])
def test_windows(dtype, n, m, d):
    arrays = inputs(n=n, m=m, d=d, dtype=dtype)
    for window in ((None, None), (None, 0), (20, 9)):
        hidden = hide(window, n, m)
        out, lse = lattn.attention(*arrays, window=window, return_lse=True)
        want, want_lse = expect(*arrays, hidden=hidden)
        check(out, want, dtype)
        assert torch.allclose(lse.double(), want_lse, atol=2e-4)


def test_options():
    q, k, v = arrays = inputs()
    i, j = positions(200, 200)
    bias = make(4, 200, 200, seed=5)
    mask = make(2, 200, dtype=torch.float16, seed=6) > 0
    sink = make(4, dtype=torch.float32, seed=7)
    lengths = torch.tensor([200, 77], dtype=torch.int32, device="cuda")
    h = torch.arange(4, device="cuda")[:, None, None]

    def incline(score, b, h, qi, ki):
        return score - lattn.math.abs(qi - ki) * lattn.math.exp2((h + 1) * -0.5)
    beyond = torch.arange(200, device="cuda") >= lengths[:, None]
    for options, want in [
            ({"bias": bias}, expect(*arrays, change=lambda s: s + bias.double())),
            ({"attn_mask": bias}, expect(*arrays,
                                         change=lambda s: s + bias.double())),
            ({"key_mask": mask}, expect(*arrays, hidden=~mask[:, None, None])),
            ({"attn_mask": mask[:, None, None]},
             expect(*arrays, hidden=~mask[:, None, None])),
            ({"sink": sink}, expect(*arrays, sink=sink)),
            ({"softcap": 5.0}, expect(*arrays,
                                      change=lambda s: 5 * torch.tanh(s / 5))),
            ({"scale": 0.3}, expect(*arrays, change=lambda s: s * 0.3 * 8)),
            ({"kv_lengths": lengths}, expect(*arrays,
                                             hidden=beyond[:, None, None])),
            ({"score_mod": incline},
             expect(*arrays, change=lambda s: s - (i - j).abs() *
                    torch.exp2((h + 1) * -0.5))),
            ({"mask_mod": lambda b, h, qi, ki: (qi + ki) % 3 != 0},
             expect(*arrays, hidden=(i + j) % 3 == 0))]:
        check(lattn.attention(*arrays, **options), want[0])


LOWEST = torch.finfo(torch.float32).min


@pytest.mark.parametrize("n,m,d", [(200, 200, 64), (1, 700, 128), (130, 300, 256)])
@pytest.mark.parametrize("kind", ["first keys hidden by the lowest number",
                                  "one key above all", "equal", "half hidden"])
def test_extreme_scores(kind, n, m, d):
    """Finite scores of any size; see (P5) of the spec."""
    arrays = inputs(n=n, m=m, d=d)
    bias = torch.zeros(n, m, device="cuda")
    if kind == "one key above all":
        bias[:, m // 3] = 1e10
    elif kind == "equal":
        bias[:] = 3e37
    else:
        bias[:, :m // 2] = LOWEST if kind != "half hidden" else -1e20
    # What f32 gives for scores: large numbers absorb small ones.
    want, want_lse = expect(*arrays, change=lambda s: (s.float() + bias).double())
    out, lse = lattn.attention(*arrays, bias=bias, return_lse=True)
    check(out, want)
    assert torch.allclose(lse.double(), want_lse, rtol=1e-6, atol=2e-4)


def test_autocast():
    q, k, v = arrays = inputs()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        out = lattn.attention(q.float(), k.float(), v, causal=True)
    assert out.dtype == torch.bfloat16
    assert torch.equal(out, lattn.attention(*arrays, causal=True))


def test_views():
    """Rows that are not aligned, strides, heads behind positions."""
    wide = make(2, 4, 200, 3 * 64 + 1)
    q, k, v = (wide[..., start:start + 64] for start in (0, 64, 129))
    check(lattn.attention(q, k, v, causal=True),
          lattn.attention(*(x.contiguous() for x in (q, k, v)), causal=True).double())
    q, k, v = inputs()
    turned = [x.transpose(1, 2).contiguous() for x in (q, k, v)]
    out = lattn.attention(*turned, layout="bnhd", causal=True)
    check(out.transpose(1, 2), lattn.attention(q, k, v, causal=True).double())
    expanded = [k[:, :1].expand(2, 2, 200, 64), v[:, :1].expand(2, 2, 200, 64)]
    check(lattn.attention(q, *expanded), expect(q, *expanded)[0])


def test_out_and_streams():
    q, k, v = arrays = inputs(n=1000, m=1000)
    out = torch.empty_like(q)
    assert lattn.attention(*arrays, out=out) is out
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        other = lattn.attention(*arrays)
    stream.synchronize()
    assert torch.equal(out, other)
    check(out, expect(*arrays)[0])


def test_graph():
    arrays = inputs(n=300, m=300)
    want = lattn.attention(*arrays, causal=True).clone()
    out = torch.zeros_like(arrays[0])
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        lattn.attention(*arrays, causal=True, out=out)
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(out, want)


def lay_out(rows, size, table, count, layout):
    """A pool of `count` pages with `rows` (B, Hkv, M, D), NaN elsewhere."""
    pool = torch.full((count, rows.shape[1], size, rows.shape[3]), math.nan,
                      device="cuda", dtype=rows.dtype)
    for b, entries in enumerate(table.tolist()):
        for i in range(-(-rows.shape[2] // size)):
            part = rows[b, :, i * size:(i + 1) * size]
            pool[entries[i], :, :part.shape[1]] = part
    return pool.transpose(1, 2).contiguous() if layout == "bnhd" else pool


def integers(*values, dtype=torch.int32):
    return torch.tensor(values, dtype=dtype, device="cuda")


def turn(x, layout):
    return x.transpose(1, 2).contiguous() if layout == "bnhd" else x


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("layout", ["bhnd", "bnhd"])
@pytest.mark.parametrize("size,n", [(16, 1), (16, 70), (64, 1), (64, 200), (48, 5),
                                    (256, 1), (256, 64)])
def test_pages(dtype, layout, size, n):
    m, entries = 700, 50
    q, k, v = inputs(n=n, m=m, dtype=dtype)
    needed, count = -(-m // size), 2 * entries + 3
    table = torch.randperm(count)[:2 * entries].view(2, entries)
    pools = [lay_out(x, size, table, count, layout) for x in (k, v)]
    lengths = integers(m, 333)
    table = table.to("cuda", torch.int32)
    table[0, needed:], table[1, -(-333 // size):] = -7, 2 ** 30  # hidden
    beyond = torch.arange(m, device="cuda") >= lengths[:, None, None]
    i = torch.arange(n, device="cuda")[:, None] + lengths[:, None, None] - n
    j = torch.arange(m, device="cuda")
    for window, causal in (((None, None), False), ((None, None), True),
                           ((100, 20), False)):
        left, right = window
        hidden = beyond | ((j > i) if causal else torch.zeros_like(j > i))
        if left is not None:
            hidden = hidden | (j < i - left) | (j > i + right)
        out, lse = lattn.attention(
            turn(q, layout), *pools, pages=table, kv_lengths=lengths, window=window,
            causal=causal, layout=layout, return_lse=True)
        want, want_lse = expect(q, k, v, hidden=hidden[:, None])
        check(turn(out, layout), want, dtype)
        assert torch.allclose(lse.double(), want_lse, atol=2e-4)


def test_entries_out_of_range():
    """Entries stand for the nearest page, and lengths for the nearest number."""
    q, k, v = inputs(b=2, n=20, m=32)
    pools = [x.transpose(0, 1).reshape(2, 4, 16, 64).transpose(0, 1).contiguous()
             for x in (k, v)]  # 4 pages
    table = integers([-5, 2 ** 40, 1], [0, 3, -2 ** 62], dtype=torch.int64)
    near = table.clamp(0, 3)
    k, v = (torch.cat([x[near[:, i]] for i in range(3)], 2) for x in pools)
    out = lattn.attention(q, *pools, pages=table,
                          kv_lengths=integers(2 ** 40, 48, dtype=torch.int64))
    check(out, expect(q, k, v)[0])
    borders = integers(-9, 20, 2 ** 30)
    rows = [x[:1].contiguous() for x in inputs(n=40, m=40)]
    lattn.attention(*rows, cu_seqlens_q=borders, cu_seqlens_k=borders, causal=True)
    torch.cuda.synchronize()


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("layout", ["bhnd", "bnhd"])
@pytest.mark.parametrize("queries,keys", [
    ((3, 0, 40, 1, 300), (9, 5, 170, 1, 300)), ((1,) * 40, (700,) * 40),
    ((129, 64, 1000), (129, 64, 1000))])
def test_sequences(dtype, layout, queries, keys):
    q = make(1, 4, sum(queries), 64, dtype=dtype)
    k, v = (make(1, 2, sum(keys), 64, dtype=dtype, seed=x) for x in (1, 2))
    of_q, of_k = (torch.tensor([0, *x], device="cuda").cumsum(0) for x in (queries,
                                                                         keys))
    for window, causal in (((None, None), True), ((30, 9), False),
                           ((None, None), False)):
        out = lattn.attention(
            *(turn(x, layout) for x in (q, k, v)), layout=layout, window=window,
            causal=causal, cu_seqlens_q=of_q, cu_seqlens_k=of_k.int())
        out = turn(out, layout)
        for s, (n, m) in enumerate(zip(queries, keys)):
            at, to = (slice(x[s], x[s + 1]) for x in (of_q.tolist(), of_k.tolist()))
            i, j = positions(n, m)
            hidden = j > i if causal else torch.zeros_like(j > i)
            if window[0] is not None:
                hidden |= (j < i - window[0]) | (j > i + window[1])
            if n:
                check(out[:, :, at], expect(q[:, :, at], k[:, :, to], v[:, :, to],
                                            hidden=hidden)[0], dtype)


def test_sequences_over_pages():
    """A server's step in a CUDA graph, which reads new numbers when it is replayed.
    Its arrays have more rows than the sequences."""
    queries, lengths, size = (1, 1, 150, 30), (500, 32, 300, 30), 16
    k, v = (make(4, 2, 512, 64, seed=x) for x in (1, 2))
    q = make(1, 4, 200, 64)
    table = torch.randperm(150)[:128].view(4, 32)
    pools = [lay_out(x, size, table, 150, "bhnd") for x in (k, v)]
    of_q = torch.zeros(5, dtype=torch.int32, device="cuda")
    given = torch.zeros(4, dtype=torch.int32, device="cuda")
    pages = torch.zeros(4, 32, dtype=torch.int32, device="cuda")
    out = torch.zeros_like(q)

    def call():
        lattn.attention(q, *pools, pages=pages, kv_lengths=given, causal=True,
                        cu_seqlens_q=of_q, out=out)
    call()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    given.copy_(torch.tensor(lengths))
    of_q.copy_(torch.tensor([0, *queries]).cumsum(0))
    pages.copy_(table)
    graph.replay()
    torch.cuda.synchronize()
    assert not out[:, :, sum(queries):].any()
    for s, (n, m) in enumerate(zip(queries, lengths)):
        at = slice(int(of_q[s]), int(of_q[s + 1]))
        i, j = positions(n, m)
        check(out[:, :, at], expect(q[:, :, at], k[s:s + 1, :, :m], v[s:s + 1, :, :m],
                                    hidden=j > i)[0])


def test_sequences_of_keys_alone():
    lengths = (300, 1, 64)
    of_k = torch.tensor([0, *lengths], device="cuda").cumsum(0)
    k, v = (make(1, 2, sum(lengths), 64, seed=x) for x in (1, 2))
    for n in (1, 40):
        q = make(3, 4, n, 64)
        out = lattn.attention(q, k, v, causal=True, cu_seqlens_k=of_k)
        for s, m in enumerate(lengths):
            to = slice(int(of_k[s]), int(of_k[s + 1]))
            i, j = positions(n, m)
            check(out[s:s + 1], expect(q[s:s + 1], k[:, :, to], v[:, :, to],
                                       hidden=j > i)[0])


def test_compiled_by_torch():
    q, k, v = inputs(n=5, m=64)
    table, lengths = integers([0, 1], [1, 0]), integers(64, 40)
    pools = [x.reshape(2, 2, 2, 32, 64)[0].transpose(0, 1).contiguous()
             for x in (k, v)]

    def paged(q):
        return lattn.attention(q, *pools, pages=table, kv_lengths=lengths,
                               causal=True) + 1
    borders = integers(0, 2, 5)

    def packed(q):
        return lattn.attention(q[:1], k[:1, :, :5], v[:1, :, :5], causal=True,
                               cu_seqlens_q=borders, cu_seqlens_k=borders) + 1
    with torch.no_grad():
        for function in (paged, packed):
            compiled = torch.compile(function, backend="eager", fullgraph=True)
            assert torch.equal(compiled(q), function(q))


def test_transformers_masks():
    """Packed sequences have borders, but segments while a graph is captured."""
    pytest.importorskip("transformers", minversion="5.23")
    from transformers import masking_utils as utils

    from lattn._transformers_masks import make_mask

    positions = torch.tensor([[0, 1, 2, 0, 1, 0]], device="cuda")
    function = utils.packed_sequence_mask_function(
        utils.find_packed_sequence_indices(positions))
    both = utils.and_masks(function, utils.causal_mask_function)
    mask = make_mask(1, 6, 6, mask_function=both, device="cuda")
    assert mask.options(6)["cu_seqlens_q"].tolist() == [0, 3, 5, 6]
    q, k, v = inputs(b=1, n=6, m=6)
    segments = utils.find_packed_sequence_indices(positions)[0]
    i, j = torch.arange(6, device="cuda")[:, None], torch.arange(6, device="cuda")
    hidden = (segments[:, None] != segments) | (j > i)
    check(lattn.attention(q, k, v, **mask.options(6)),
          expect(q, k, v, hidden=hidden)[0])


def test_empty():
    q, k, v = inputs()
    assert lattn.attention(q[:0], k[:0], v[:0]).shape == (0, 4, 200, 64)
    assert not lattn.attention(q, k[:, :, :0], v[:, :, :0]).any()
    assert lattn.attention(q[:, :, :0], k, v).shape == (2, 4, 0, 64)


def test_errors():
    q, k, v = inputs()
    with pytest.raises(ValueError, match="k: expected an array on GPU 0"):
        lattn.attention(q, k.cpu(), v)
    with pytest.raises(NotImplementedError, match="got float32"):
        lattn.attention(q.float(), k.float(), v.float())
    check(lattn.attention(q, k, v), expect(q, k, v)[0])


# Gradients of scores are rounded to 8 or 11 bits, and sums of them grow.
GRADIENTS = {torch.bfloat16: 2.0 ** -5, torch.float16: 2.0 ** -8}


def differentiate(attend, arrays, cotangent):
    arrays = [x.detach().requires_grad_() for x in arrays]
    return torch.autograd.grad(attend(*arrays), arrays, cotangent)


@pytest.mark.parametrize("dtype", GRADIENTS)
@pytest.mark.parametrize("n,m,d", [(200, 200, 64), (65, 130, 72), (5, 300, 33),
                                   (300, 300, 256), (1030, 1030, 128)])
def test_gradients(dtype, n, m, d):
    arrays = inputs(n=n, m=m, d=d, dtype=dtype)
    cotangent = make(2, 4, n, d, dtype=dtype, seed=3)
    for window in ((None, None), (None, 0), (20, 9)):
        hidden = hide(window, n, m)
        found = [differentiate(lambda *x: lattn.attention(*x, window=window), arrays,
                               cotangent) for _ in range(2)]
        want = differentiate(
            lambda q, k, v: expect(q, k, v, hidden=hidden)[0],
            [x.double() for x in arrays], cotangent.double())
        for got, again, x in zip(*found, want):
            assert torch.equal(got, again)  # bit for bit
            error = (got.double() - x).abs().max()
            assert error <= GRADIENTS[dtype] * x.abs().max(), error


def test_gradients_of_options():
    arrays = inputs()
    i, j = positions(200, 200)
    cotangent = make(2, 4, 200, 64, seed=3)
    mask = make(2, 200, dtype=torch.float16, seed=4) > 0
    bias = make(4, 200, 200, dtype=torch.float32, seed=5)
    found = differentiate(lambda *x: lattn.attention(
        *x, causal=True, key_mask=mask, bias=bias, softcap=3.0), arrays, cotangent)
    want = differentiate(lambda q, k, v: expect(
        q, k, v, lambda s: (s / 3).tanh() * 3 + bias,
        (j > i) | ~mask[:, None, None])[0], [x.double() for x in arrays],
        cotangent.double())
    for got, x in zip(found, want):
        error = (got.double() - x).abs().max()
        assert error <= GRADIENTS[torch.bfloat16] * x.abs().max(), error


def test_training():
    """20 steps of a layer with windowed attention give the losses of the CPU."""
    def train(device):
        torch.manual_seed(0)
        project = torch.nn.Linear(64, 192)
        merge = torch.nn.Linear(64, 64)
        x, target = torch.randn(2, 256, 64), torch.randn(2, 256, 64)
        project, merge, x, target = (
            y.to(device) for y in (project, merge, x, target))
        optimizer = torch.optim.SGD(
            [*project.parameters(), *merge.parameters()], lr=0.5)
        losses = []
        for _ in range(20):
            q, k, v = (y.unflatten(-1, (2, 32)).transpose(1, 2).bfloat16()
                       for y in project(x).chunk(3, -1))
            out = lattn.attention(q, k, v, window=(30, 0))
            loss = (merge(out.float().transpose(1, 2).flatten(2)) - target).square(
                ).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return torch.tensor(losses)

    assert torch.allclose(train("cuda"), train("cpu"), rtol=2e-3)


def test_gradients_of_a_bias_with_dropout():
    """The CPU's, with the same seed."""
    options = {"window": (30, 9), "dropout_p": 0.2, "seed": 5}
    values = [*inputs(), make(200, 200, dtype=torch.float32)]

    def differentiate(device, dtype):
        on = [x.detach().to(device, dtype).requires_grad_() for x in values]
        output = lattn.attention(*on[:3], bias=on[3], **options)
        output.float().square().sum().backward()
        return [x.grad.double().cpu() for x in on]

    for got, want in zip(differentiate("cuda", None), differentiate("cpu",
                                                                    torch.float64)):
        assert (got - want).abs().max() <= 2 ** -5 * want.abs().max()
