# REQUIRES: slow, torch-mlir
# RUN: %cached_pytest %s

# torch.compile(model, backend="lattn"): results against torch's own, how often it
# compiles, and what stays with torch.

import math
import subprocess
import sys
import warnings

import pytest
import torch
import torch.nn.functional as F

from lattn import _dynamo, _torch_mlir

DIM, HEADS = 16, 2


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch.manual_seed(0)
    torch.backends.mha.set_fastpath_enabled(False)
    _dynamo._said.clear()
    yield
    torch.backends.mha.set_fastpath_enabled(True)


@pytest.fixture
def graphs(monkeypatch):
    """The text of each graph that lattn compiles."""
    texts, compile_text = [], _dynamo.compile_text
    monkeypatch.setattr(_dynamo, "compile_text",
                        lambda text: texts.append(text) or compile_text(text))
    return texts


def close(found, expected):
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


def check(module, *inputs, compiled=None):
    if compiled is None:
        compiled = torch.compile(module, backend="lattn")
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("error")
        close(compiled(*inputs), module(*inputs))
    return compiled


class Windowed(torch.nn.Module):
    def __init__(self, left=5):
        super().__init__()
        self.left = left
        self.qkv = torch.nn.Linear(DIM, 3 * DIM)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
        s = q @ k.transpose(-2, -1) * 0.35
        s = s.masked_fill((j > i) | (i - j > self.left), float("-inf"))
        return (torch.softmax(s, -1) @ v).transpose(1, 2).reshape(b, n, DIM)


def encoder():
    return torch.nn.TransformerEncoderLayer(DIM, HEADS, 32, batch_first=True,
                                            norm_first=True).eval()


def test_is_listed():
    assert "lattn" in torch._dynamo.list_backends()


@pytest.mark.parametrize("make", [encoder, Windowed])
def test_modules(make, graphs):
    check(make(), torch.randn(2, 24, DIM))
    assert len(graphs) == 1


def test_attention_is_raised(graphs):
    check(Windowed().eval(), torch.randn(2, 24, DIM))
    assert "lattn.attention" in graphs[0]
    assert "window = #lattn.window<left = 5, right = 0>" in graphs[0]


def test_parameters_are_arguments(graphs):
    """Changed in place, they need no compilation."""
    module = Windowed()
    compiled = check(module, torch.randn(1, 24, DIM))
    assert "dense_resource" not in graphs[0] and "dense<\"" not in graphs[0]
    with torch.no_grad():
        module.qkv.weight.mul_(2)
    check(module, torch.randn(1, 24, DIM), compiled=compiled)
    assert len(graphs) == 1


@pytest.mark.parametrize("make", [encoder, Windowed])
def test_lengths(make, graphs):
    """One length, then all."""
    module = make()
    compiled = torch.compile(module, backend="lattn")
    for n in (24, 24, 31, 7, 64, 24):
        check(module, torch.randn(2, n, DIM), compiled=compiled)
    assert len(graphs) == 2


def test_all_lengths_at_once(graphs):
    module = Windowed()
    compiled = torch.compile(module, backend="lattn", dynamic=True)
    for n in (24, 31, 7):
        check(module, torch.randn(2, n, DIM), compiled=compiled)
    assert len(graphs) == 1
    assert "window = #lattn.window<left = 5, right = 0>" in graphs[0]


class Einsum(torch.nn.Module):
    def forward(self, x):
        q, k, v = x.unflatten(2, (3, HEADS, -1)).unbind(2)
        w = torch.softmax(torch.einsum("bihd,bjhd->bhij", q, k), -1)
        return torch.einsum("bhij,bjhd->bihd", w, v)


class Split(torch.nn.Module):
    """Views that merge and split batch and length around products and norms."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(DIM, DIM), torch.nn.LayerNorm(DIM), torch.nn.GELU())

    def forward(self, x):
        b, n, _ = x.shape
        y = self.layers(x.reshape(b * n, DIM)).view(b, n, DIM)
        return y[:, 0], self.layers(y.transpose(0, 1)), y.reshape(b * HEADS, n, -1)


@pytest.mark.parametrize("make, size", [
    (Einsum, 3 * DIM), (Split, DIM), (encoder, DIM), (Windowed, DIM)])
def test_batches_and_lengths(make, size, graphs):
    """Both change at the second call."""
    module = make()
    compiled = torch.compile(module, backend="lattn")
    for b, n in ((2, 16), (3, 21), (5, 7)):
        check(module, torch.randn(b, n, size), compiled=compiled)
    assert len(graphs) == 2


class Masked(Windowed):
    """By scaled_dot_product_attention, with a mask of keys."""

    def forward(self, x, keep):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        i = torch.arange(n)
        near = (i[:, None] - i[None, :]).abs() <= self.left
        return F.scaled_dot_product_attention(
            q, k, v, attn_mask=near & keep[:, None, None, :])


def test_attention_of_open_lengths_is_raised(graphs):
    module = Masked().eval()
    compiled = torch.compile(module, backend="lattn")
    for n in (24, 31, 9):
        keep = torch.arange(n).expand(2, n) % 4 != 1
        check(module, torch.randn(2, n, DIM), keep, compiled=compiled)
    assert len(graphs) == 2
    for text in graphs:
        assert "window = #lattn.window<left = 5, right = 5>" in text
        assert "key_mask(" in text


def test_results_of_all_kinds(graphs):
    def function(x, mask):
        return {"all": x, "none": None, "sum": x.sum(), "kept": x * mask,
                "places": mask.cumsum(0), "half": x.half() + 1}

    x, mask = torch.randn(6), torch.rand(6) < 0.7
    found = torch.compile(function, backend="lattn")(x, mask)
    assert len(graphs) == 1
    for key, expected in function(x, mask).items():
        if expected is None:
            assert found[key] is None
        else:
            close(found[key], expected)
    assert found["all"] is x


def test_sizes_as_results(graphs):
    def function(x):
        return x.shape[0], x.shape[0] * x.shape[1] + 1, x * 2

    compiled = torch.compile(function, backend="lattn", dynamic=True)
    for shape in ((3, 4), (5, 7)):
        check(function, torch.randn(shape), compiled=compiled)
    assert len(graphs) == 1


def test_functions_of_sizes(graphs):
    def function(x):
        a, b, c = x.shape
        return (x.sum() + torch.arange(a + b + c),
                x.mean() + torch.ones(torch.sym_max(a, b), torch.sym_min(b, c)),
                F.pad(x, (0, -b % 8)) * (a % 3), x.reshape(-1)[:a * b // 2])

    compiled = torch.compile(function, backend="lattn", dynamic=True)
    for shape in ((3, 5, 4), (7, 4, 9)):
        check(function, torch.randn(shape), compiled=compiled)
    assert len(graphs) == 1


def test_other_functions_of_sizes(graphs):
    """torch computes them, and lattn the rest."""
    def function(x):
        return torch.softmax(x @ x.T, -1) @ x[:, :math.ceil(x.shape[1] / 2)]

    compiled = torch.compile(function, backend="lattn", dynamic=True)
    with pytest.warns(UserWarning, match="torch computes .*: a function of numbers"):
        x = torch.randn(5, 8)
        close(compiled(x), function(x))
    check(function, torch.randn(7, 8), compiled=compiled)
    assert any("lattn.attention" in text for text in graphs)


def test_graph_without_tensors(graphs):
    """There is nothing to compile, and nothing to say."""
    check(lambda x: x.shape[0] + 1, torch.randn(3))
    compiled = torch.compile(lambda x: (x.shape[0] + 1, x), backend="lattn", dynamic=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled(torch.randn(3))[0] == 4
    assert not graphs


def test_unsigned_bytes(graphs):
    """torch computes with them; they pass through what is compiled."""
    def function(x, y):
        return x // 3, x > 200, torch.softmax(y * x.float(), 0) @ y, x

    x = torch.tensor([0, 5, 127, 128, 250, 255], dtype=torch.uint8)
    y = torch.randn(6, 6)
    with pytest.warns(UserWarning, match="arithmetic of uint8"):
        results = torch.compile(function, backend="lattn")(x, y)
    for found, expected in zip(results, function(x, y)):
        assert found.dtype == expected.dtype
        close(found, expected)
    assert graphs


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64])
def test_no_arguments(dtype, graphs):
    def function():
        x = torch.arange(6, dtype=dtype) * 3
        return x, x.sum()

    found = torch.compile(function, backend="lattn")()
    for x, expected in zip(found, function()):
        assert x.dtype == dtype
        close(x, expected)
    assert graphs


def test_arguments_that_change():
    def function(x, y):
        x.add_(y)
        return x * 2

    x, y = torch.randn(4, 5), torch.randn(4, 5)
    expected = x + y
    close(torch.compile(function, backend="lattn")(x, y), 2 * expected)
    close(x, expected)


@torch.library.custom_op("lattn_test::reversed", mutates_args=())
def reverse(x: torch.Tensor) -> torch.Tensor:
    return x.flip(1)


@reverse.register_fake
def _(x):
    return torch.empty_like(x)


class Interrupted(torch.nn.Module):
    """An operator that torch-mlir does not know, between two that it does."""

    def __init__(self):
        super().__init__()
        self.first, self.second = Windowed(), Windowed(3)

    def forward(self, x):
        return self.second(reverse(self.first(x)))


def test_unknown_operator(graphs):
    module, x = Interrupted().eval(), torch.randn(1, 24, DIM)
    compiled = torch.compile(module, backend="lattn")
    with torch.no_grad():
        with pytest.warns(UserWarning, match="torch computes lattn_test.reversed"
                          ) as said:
            found = compiled(x)
        assert len(said) == 1
        close(found, module(x))
    assert len(graphs) == 2
    check(module, torch.randn(1, 24, DIM), compiled=compiled)  # said once


def test_parts_with_open_sizes(graphs):
    """The result of torch is a late argument of the second part."""
    module = Interrupted().eval()
    compiled = torch.compile(module, backend="lattn", dynamic=True)
    with torch.no_grad(), pytest.warns(UserWarning) as said:
        for b, n in ((2, 24), (3, 9)):
            x = torch.randn(b, n, DIM)
            close(compiled(x), module(x))
    assert len(graphs) == 2 and len(said) == 1


def test_crash_of_torch_mlir(graphs, tmp_path, monkeypatch):
    """It ends its own process only."""
    tool = tmp_path / "torch-mlir-opt"
    tool.write_text("#!/bin/sh\nkill -SEGV $$\n")
    tool.chmod(0o755)
    monkeypatch.setattr(_torch_mlir, "_TOOL", str(tool))
    module, x = Windowed().eval(), torch.randn(1, 24, DIM)
    with torch.no_grad(), pytest.warns(UserWarning, match="ended by SIGSEGV"):
        close(torch.compile(module, backend="lattn")(x), module(x))
    assert not graphs


def test_random_numbers(graphs):
    """They are torch's, with its seed."""
    def function(x):
        return torch.softmax(F.dropout(x @ x.T, 0.5, training=True) * 2, -1) @ x

    x = torch.randn(8, 8)
    compiled = torch.compile(function, backend="lattn")
    with pytest.warns(UserWarning, match="random numbers"):
        compiled(x)
    torch.manual_seed(3)
    found = compiled(x)
    torch.manual_seed(3)
    close(found, function(x))
    assert graphs


def test_gradients():
    module, x = Windowed(), torch.randn(1, 12, DIM)
    compiled = torch.compile(module, backend="lattn")
    with pytest.warns(UserWarning, match="gradients are needed"):
        compiled(x).sum().backward()
    found = module.qkv.weight.grad.clone()
    module.zero_grad()
    module(x).sum().backward()
    close(found, module.qkv.weight.grad)


def test_options():
    with pytest.raises(Exception, match="expected no options, got fast"):
        torch.compile(lambda x: x + 1, backend="lattn",
                      options={"fast": True})(torch.ones(3))


def test_without_torch_mlir():
    code = """
import sys
sys.modules["torch_mlir"] = None  # as if it were not installed
import torch
try:
    torch.compile(lambda x: x + 1, backend="lattn")(torch.ones(3))
except Exception as error:
    assert "pip install torch-mlir" in str(error), error
else:
    raise AssertionError("compiled without torch-mlir")
"""
    subprocess.run([sys.executable, "-B", "-c", code], check=True)
