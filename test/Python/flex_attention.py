# REQUIRES: slow, torch-mlir
# RUN: %cached_pytest %s

# torch's flex_attention in torch.compile(model, backend="lattn"): results against
# torch's own, which masks become windows, and what stays with torch.

import random
import warnings

import pytest
import torch
from torch.nn.attention.flex_attention import (
    BlockMask, create_block_mask, flex_attention)

from lattn import _dynamo

B, H, N, D = 2, 4, 48, 16


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch.manual_seed(0)
    _dynamo._said.clear()


@pytest.fixture
def graphs(monkeypatch):
    """The text of each graph that lattn compiles."""
    texts, compile_text = [], _dynamo.compile_text
    monkeypatch.setattr(_dynamo, "compile_text",
                        lambda text: texts.append(text) or compile_text(text))
    return texts


def eager(*arguments, **options):
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # that it is slow
        return flex_attention(*arguments, **options)


def compiled(*arguments, **options):
    """No warning, so that nothing stays with torch."""
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("error")
        return torch.compile(flex_attention, backend="lattn")(*arguments, **options)


def arrays(b=B, h=H, kv=H, n=N, m=N, d=D, dtype=torch.float32):
    return (torch.randn(b, h, n, d, dtype=dtype), torch.randn(b, kv, m, d, dtype=dtype),
            torch.randn(b, kv, m, d, dtype=dtype))


def block_mask(mask_mod, b=B, h=H, n=N, m=N):
    return create_block_mask(mask_mod, b, h, n, m, device="cpu", BLOCK_SIZE=16)


def close(found, expected, tolerance=1e-5):
    torch.testing.assert_close(found, expected, rtol=tolerance, atol=tolerance)


def check(graphs, mask_mod=None, score_mod=None, **sizes):
    q, k, v = arrays(**sizes)
    mask = mask_mod and block_mask(mask_mod, n=q.shape[2], m=k.shape[2])
    options = dict(score_mod=score_mod, block_mask=mask)
    close(compiled(q, k, v, **options), eager(q, k, v, **options))
    text, = graphs
    assert "lattn.attention" in text
    return text


# ---- Numbers -----------------------------------------------------------------

SLOPES = torch.rand(H, generator=torch.Generator().manual_seed(1))
RELATIVE = torch.randn(H, 2 * 64 + 1, generator=torch.Generator().manual_seed(2))
DOCUMENTS = torch.arange(64).div(11, rounding_mode="floor").repeat(B, 1)
DOCUMENTS[1] = DOCUMENTS[1] // 2
LENGTHS = torch.tensor([40, 9], dtype=torch.int32)
PARTS = (torch.arange(64) // 20 + 200).to(torch.uint8)
HIDDEN = torch.rand(B, 64, generator=torch.Generator().manual_seed(3)) < 0.3
FACTOR = torch.tensor(0.7)

SCORES = {
    "none": None,
    "alibi": lambda s, b, h, i, j: s + SLOPES[h] * (j - i),
    "softcap": lambda s, b, h, i, j: 5 * torch.tanh(s / 5),
    "relative": lambda s, b, h, i, j: s + RELATIVE[h, torch.clamp(j - i, -64, 64) + 64],
    "from the end": lambda s, b, h, i, j: s + RELATIVE[h, j - i] * RELATIVE[-1, 3],
    "temperature": lambda s, b, h, i, j: s * FACTOR + torch.sqrt(i + 1.0) * 0.1,
    "rounded": lambda s, b, h, i, j: s + ((i - j) // 7) * 0.05 - ((i + j) % 3 == 0) * 1.5,
    "hidden": lambda s, b, h, i, j: torch.where(HIDDEN[b, j], -float("inf"), s),
    "distance": lambda s, b, h, i, j: s - torch.abs(i - j).to(torch.float32).log1p(),
}
MASKS = {
    "none": None,
    "causal": lambda b, h, i, j: i >= j,
    "strict": lambda b, h, i, j: i > j,
    "sliding": lambda b, h, i, j: (i >= j) & (i - j <= 9),
    "band": lambda b, h, i, j: torch.abs(i - j) < 6,
    "prefix": lambda b, h, i, j: (j < 12) | (i >= j),
    "documents": lambda b, h, i, j: (DOCUMENTS[b, i] == DOCUMENTS[b, j]) & (i >= j),
    "parts": lambda b, h, i, j: (PARTS[i] == PARTS[j]) & (PARTS[j] > 200),
    "dilated": lambda b, h, i, j: ((i - j) % 3 == 0) & (i >= j) & (i - j < 20),
    "chunks": lambda b, h, i, j: i // 10 == j // 10,
    "chunks of 16": lambda b, h, i, j: (i // 16 == j // 16) & (j <= i),
    "heads": lambda b, h, i, j: (h % 2 == 0) | (i >= j),
    "lengths": lambda b, h, i, j: (j < LENGTHS[b]) & (i >= j),
    "global": lambda b, h, i, j: (j == 0) | (i == 0) | (torch.abs(i - j) <= 4),
    "not": lambda b, h, i, j: ~(j > i + 2) & torch.logical_not(i - j > 7),
}


@pytest.mark.parametrize("seed", range(27))
def test_random_options(seed, graphs):
    """Each score and each mask is drawn at least once."""
    draw = random.Random(seed)
    torch.manual_seed(seed)
    score_mod = [*SCORES.values()][seed % len(SCORES)]
    mask_mod = [*MASKS.values()][seed % len(MASKS)]
    sizes = dict(b=B, h=H, kv=draw.choice([1, 2, 4]), n=draw.choice([1, 17, 48]),
                 m=draw.choice([33, 48, 60]), d=draw.choice([8, 16]))
    wide = torch.float64 if seed % 8 == 5 else torch.float32
    dtype = {3: torch.bfloat16, 7: torch.float16}.get(seed % 8, wide)
    q, k, v = arrays(**sizes, dtype=dtype)
    options = dict(
        score_mod=score_mod, enable_gqa=True, scale=draw.choice([None, 0.3]),
        block_mask=mask_mod and block_mask(mask_mod, n=sizes["n"], m=sizes["m"]))
    found, lse = compiled(q, k, v, **options, return_lse=True)
    expected, logs = eager(q.to(wide), k.to(wide), v.to(wide), **options,
                           return_lse=True)
    rounded = {torch.bfloat16: 2e-2, torch.float16: 2e-3}.get(dtype)
    close(found, expected.to(dtype), rounded or 1e-5)
    close(lse, logs.to(lse.dtype), 1e-4 if rounded else 1e-5)
    assert len(graphs) == 1


def test_rows_that_see_nothing(graphs):
    q, k, v = arrays()
    mask = block_mask(lambda b, h, i, j: i > j + 3)
    found, lse = compiled(q, k, v, block_mask=mask, return_lse=True)
    expected, logs = eager(q, k, v, block_mask=mask, return_lse=True)
    close(found, expected)
    close(lse, logs)
    assert not found[:, :, :4].any() and (lse[:, :, :4] == -float("inf")).all()


def test_keys_of_one_batch(graphs):
    q, k, v = arrays()
    mask = block_mask(MASKS["lengths"])
    close(compiled(q, k[:1], v[:1], block_mask=mask),
          eager(q, k[:1], v[:1], block_mask=mask))
    assert "lattn.attention" in graphs[0]


# ---- Windows -----------------------------------------------------------------


@pytest.mark.parametrize("mask, window, score", [
    ("causal", "right = 0", False),
    ("sliding", "left = 9, right = 0", False),
    ("band", "left = 5, right = 5", False),
    ("not", "left = 7, right = 2", False),
    ("chunks", "bucket = 10", False),
    ("chunks of 16", "right = 0, bucket = 16", False),
    ("documents", "right = 0", True),
    ("dilated", "left = 19, right = 0", True),
    ("lengths", "right = 0", True),
])
def test_windows(mask, window, score, graphs):
    """What is not proven is a mask in the score region."""
    text = check(graphs, MASKS[mask])
    assert f"window = #lattn.window<{window}>" in text
    assert ("score {" in text) == score
    assert f"x{N}x{N}x" not in text and "scf.for" not in text


def test_window_beside_scores(graphs):
    text = check(graphs, MASKS["sliding"], SCORES["alibi"])
    assert "window = #lattn.window<left = 9, right = 0>" in text
    assert "arith.select" not in text


def test_positions_are_indices(graphs):
    """Query 0 sees key 0, however many keys there are."""
    text = check(graphs, MASKS["sliding"], n=20, m=48)
    assert "offset(%c0_i64" in text


def test_mask_that_is_computed(graphs):
    """Documents by an array that the graph makes, and tables of blocks that no one
    reads."""
    def run(q, k, v):
        documents = torch.arange(N) // 8
        mask = create_block_mask(lambda b, h, i, j: documents[i] == documents[j],
                                 None, None, N, N, device="cpu")
        return flex_attention(q, k, v, block_mask=mask)

    q, k, v = arrays()
    with torch.no_grad():
        found = torch.compile(run, backend="lattn")(q, k, v)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            close(found, run(q, k, v))
    text, = graphs
    assert "window = #lattn.window<bucket = 8>" in text and "score {" not in text
    assert f"{N}x{N}x" not in text


def test_block_tables_are_not_read(graphs):
    """As in torch's eager mode."""
    blocks = torch.zeros(B, H, 3, dtype=torch.int32)
    indices = torch.zeros(B, H, 3, 3, dtype=torch.int32)
    mask = BlockMask.from_kv_blocks(blocks + 1, indices, BLOCK_SIZE=16,
                                    mask_mod=MASKS["causal"])
    q, k, v = arrays()
    close(compiled(q, k, v, block_mask=mask), eager(q, k, v, block_mask=mask))


# ---- Modules -----------------------------------------------------------------


class Attention(torch.nn.Module):
    def __init__(self, left=9):
        super().__init__()
        self.left = left
        self.qkv = torch.nn.Linear(32, 96)
        self.out = torch.nn.Linear(32, 32)

    def forward(self, x, mask=None):
        b, n, _ = x.shape
        q, k, v = (y.view(b, n, 2, 16).transpose(1, 2)
                   for y in self.qkv(x).chunk(3, -1))
        if mask is None:
            mask = create_block_mask(
                lambda b, h, i, j: (i >= j) & (i - j <= self.left), None, None, n, n,
                device="cpu")
        y = flex_attention(q, k, v, score_mod=SCORES["softcap"], block_mask=mask)
        return self.out(y.transpose(1, 2).reshape(b, n, 32))


def run(module, *inputs, call=None):
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        if call is not None:  # nothing stays with torch
            warnings.filterwarnings("error", message="torch.compile")
        return (module if call is None else call)(*inputs)


def test_module(graphs):
    module, x = Attention().eval(), torch.randn(2, 48, 32)
    found = run(module, x, call=torch.compile(module, backend="lattn"))
    close(found, run(module, x))
    text, = graphs
    assert "window = #lattn.window<left = 9, right = 0>" in text
    assert "layout = #lattn.layout<bnhd>" in text


def test_lengths(graphs):
    """One length, then all."""
    module = Attention().eval()
    call = torch.compile(module, backend="lattn")
    for n in (130, 130, 200, 300, 131):
        x = torch.randn(2, n, 32)
        close(run(module, x, call=call), run(module, x))
    assert len(graphs) == 2
    for text in graphs:
        assert "window = #lattn.window<left = 9, right = 0>" in text


def test_masks_of_other_lengths(graphs):
    """Those that are arguments."""
    module = Attention().eval()
    call = torch.compile(module, backend="lattn")
    documents = torch.arange(200) // 23
    for n in (48, 64, 33, 150):
        mask = block_mask(
            lambda b, h, i, j: (documents[i] == documents[j]) & (i >= j), 1, 1, n, n)
        x = torch.randn(2, n, 32)
        close(run(module, x, mask, call=call), run(module, x, mask))
    assert len(graphs) == 2


class Prefix(torch.nn.Module):
    """Functions of lengths, and learned scores."""

    def __init__(self):
        super().__init__()
        self.distances = torch.nn.Parameter(torch.randn(2, 200))

    def forward(self, q, k):
        n, m = q.shape[2], k.shape[2]
        mask = create_block_mask(
            lambda b, h, i, j: (j < m // 3) | (i + (m - n) >= j), None, None, n, m,
            device="cpu")
        return flex_attention(
            q, k, k, block_mask=mask,
            score_mod=lambda s, b, h, i, j: s - self.distances[h, torch.abs(i - j)])


def test_sizes_in_functions(graphs):
    module = Prefix()
    call = torch.compile(module, backend="lattn")
    for n, m in ((130, 130), (131, 150), (140, 199), (133, 133)):
        q, k = torch.randn(1, 2, n, 8), torch.randn(1, 2, m, 8)
        close(run(module, q, k, call=call), run(module, q, k))
    assert len(graphs) <= 3


# ---- What stays with torch ---------------------------------------------------


def falls_back(reason, *arguments, **options):
    with torch.no_grad(), pytest.warns(UserWarning) as said:
        found = torch.compile(flex_attention, backend="lattn")(*arguments, **options)
    texts = [str(x.message) for x in said if "lattn" in str(x.message)]
    assert len(texts) == 1 and reason in texts[0], texts
    return found


def test_unknown_function(graphs):
    q, k, v = arrays()
    def score_mod(s, b, h, i, j):
        return torch.special.bessel_j0(s)
    found = falls_back("torch computes flex_attention: aten.special_bessel_j0 in a "
                       "score or mask function", q, k, v, score_mod=score_mod)
    close(found, eager(q, k, v, score_mod=score_mod))


def test_unknown_function_between(graphs):
    """What is before and behind is compiled, and the other attention."""
    def function(q, k, v):
        y = flex_attention(q * 2 + 1, k, v, score_mod=SCORES["alibi"]) * 3 + 1
        y = flex_attention(y, k, v, score_mod=lambda s, *_: torch.special.i1(s))
        return y.sin().cos()

    q, k, v = arrays()
    with torch.no_grad(), pytest.warns(UserWarning, match="aten.special_i1"):
        found = torch.compile(function, backend="lattn")(q, k, v)
    close(found, run(function, q, k, v))
    assert len(graphs) == 2 and "lattn.attention" in "".join(graphs)


@torch.library.custom_op("lattn_test::turned", mutates_args=())
def turn(x: torch.Tensor) -> torch.Tensor:
    return x.flip(1)


@turn.register_fake
def _(x):
    return torch.empty_like(x)


def test_alone_between_unknown_operators(graphs):
    """A part of one node."""
    def function(q, k, v):
        return turn(flex_attention(turn(q), k, v, score_mod=SCORES["alibi"]))

    q, k, v = arrays()
    with torch.no_grad(), pytest.warns(UserWarning, match="lattn_test.turned"):
        found = torch.compile(function, backend="lattn")(q, k, v)
    close(found, run(function, q, k, v))
    text, = graphs
    assert "lattn.attention" in text


def test_whole_captured_arrays(graphs):
    q, k, v = arrays()
    def score_mod(s, b, h, i, j):
        return s + SLOPES.sum()
    found = falls_back("aten.sum of a captured tensor, which is not indexed", q, k, v,
                       score_mod=score_mod)
    close(found, eager(q, k, v, score_mod=score_mod))


def test_captured_arrays_that_are_too_short():
    """torch's error, also for lengths that are open."""
    documents = torch.arange(180) // 8

    def function(x):
        mask = create_block_mask(lambda b, h, i, j: documents[i] == documents[j], None,
                                 None, x.shape[2], x.shape[2], device="cpu")
        return flex_attention(x, x, x, block_mask=mask)

    call = torch.compile(function, backend="lattn")
    for n in (140, 150, 160, 180):
        x = torch.randn(1, 1, n, 8)
        close(run(function, x, call=call), run(function, x))
    with torch.no_grad(), pytest.raises(IndexError, match="out of bounds"):
        with pytest.warns(UserWarning, match="too few elements along axis 0, which "
                          "q_idx indexes"):
            call(torch.randn(1, 1, 181, 8))


def test_gradients():
    """torch has none on CPUs, and says so."""
    q, k, v = (x.requires_grad_() for x in arrays())
    with pytest.raises(NotImplementedError, match="does not support backward on CPU"):
        torch.compile(flex_attention, backend="lattn")(q, k, v)
