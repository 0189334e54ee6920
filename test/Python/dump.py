# REQUIRES: torch, slow
# RUN: env LATTN_RUN=lattn-run %pytest %s

# LATTN_DUMP_DIR: each kernel that Python compiles is a file, which lattn-run runs
# on the same arguments to the same results.

import os
import re
import subprocess

import numpy as np
import pytest
import torch

import lattn
from lattn import _kernels, _lattn, nn

Q = np.random.default_rng(0).standard_normal((2, 2, 20, 16)).astype("f4")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "new" / "kernels"
    monkeypatch.setenv("LATTN_DUMP_DIR", str(folder))
    monkeypatch.setattr(_kernels, "_kernels", {})
    _lattn.forget_kernels()
    return folder


def check(path, tmp_path, arguments, results):
    np.savez(tmp_path / "in.npz", **arguments)
    done = subprocess.run(
        [os.environ["LATTN_RUN"], path, f"--inputs={tmp_path / 'in.npz'}",
         f"--output={tmp_path / 'out.npz'}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = np.load(tmp_path / "out.npz")
    assert set(found) == set(results) and results
    for name, expected in results.items():
        np.testing.assert_array_equal(found[name], expected)


def test_attention(folder, tmp_path):
    slopes = np.array([0.5, 2.0], "f4")
    lengths, mask = np.array([20, 11]), Q[..., 0][:, :, None] < 1
    out, lse = lattn.attention(
        Q, Q, Q, window=(7, 2), kv_lengths=lengths, attn_mask=mask,
        score_mod=lambda s, b, h, i, j: s + slopes[h] * (i - j), softcap=9.0,
        return_lse=True, dropout_p=0.25, seed=3)
    zeros = np.zeros(Q.shape, "f4")
    path, = folder.glob("lattn.attention_kernels-*.mlir")
    check(path, tmp_path,
          dict(query=Q, key=Q, value=Q, kv_lens=lengths, c0=slopes,
               mask=mask.view("int8"), p=np.float32(0.25), seed=np.int64(3),
               output=zeros, lse=zeros[..., 0]), dict(output=out, lse=lse))


def test_masks_are_windows(folder):
    """Also for gradients; what is not proven stays a mask."""
    even = np.arange(20) % 2 == 0
    q = torch.from_numpy(Q).requires_grad_()
    lattn.attention(q, q, q, mask_mod=lambda b, h, i, j:
                    (i >= j) & (i - j <= 7) & even[j]).sum().backward()
    texts = [path.read_text() for path in folder.glob("*.mlir")]
    assert len(texts) == 2
    for text in texts:
        assert "window = #lattn.window<left = 7, right = 0>" in text
        assert "arith.cmpi sge" not in text and "arith.select" in text


def test_compile(folder, tmp_path):
    twice = lattn.compile("""
        func.func @twice(%x: tensor<2xf32> {lattn.name = "x"})
            -> (tensor<2xf32> {lattn.name = "y"}) {
          %0 = arith.addf %x, %x : tensor<2xf32>
          return %0 : tensor<2xf32>
        }""")
    x = np.array([1, 2], "f4")
    path, = folder.glob("lattn.compile-*.mlir")
    check(path, tmp_path, dict(x=x), dict(y=twice(x)))


def attend():
    module = nn.LocalMHA(dim=32, heads=2, dim_head=16, window_size=16,
                         causal=True, qk_rmsnorm=True)
    with torch.no_grad():
        _, cache = module(torch.randn(1, 300, 32), return_cache=True)
        module(torch.randn(1, 1, 32), cache=cache)


def generate():
    module = nn.LocalTransformer(
        num_tokens=20, max_seq_len=400, dim=32, depth=1, dim_head=16, heads=2,
        local_attn_window_size=16, num_residual_streams=2).eval()
    module.generate(torch.randint(20, (1, 300)), 2)


def multihead():
    x = Q[:, 0].astype("f8")
    weights = {f"{n}_proj.{p}": np.ones((16,) * (1 + (p == "weight")))
               for n in "qkv" for p in ("weight", "bias")}
    weights |= {"out_proj.weight": np.eye(16), "out_proj.bias": np.ones(16)}
    lattn.multihead_attention(x, x, x, weights, num_heads=2,
                              attn_mask=np.ones((20, 20)))


@pytest.mark.parametrize("run", [
    lambda: lattn.local_attention(Q, Q, Q, window_size=5, mask=Q[:, 0, :, 0] > 0),
    multihead, attend, generate], ids=["local", "multihead", "mha", "transformer"])
def test_doors_by_name(run, folder, tmp_path, monkeypatch):
    """Arguments and results are those of calls that were watched."""
    calls = {}

    def watch(make, *key, **options):
        before = set(folder.glob("*"))
        kernel = get(make, *key, **options)
        new = set(folder.glob("*")) - before

        def call(*args, **named):
            kinds = re.findall(r"(\w+): (memref(?:<(?:[^<>]|<[^<>]*>)*>)|\w+)"
                               r"( \(written\))?", kernel.signature)
            named |= zip((name for name, *_ in kinds), args)
            named = {name: x.detach().numpy() if isinstance(x, torch.Tensor)
                     else x for name, x in named.items()}
            given = {name: np.array(named[name], "f4" if kind == "f32" else None)
                     for name, kind, _ in kinds}
            kernel(**named)
            if new:
                calls[min(new)] = given, {
                    name: named[name].copy() for name, _, is_written in kinds
                    if is_written}
        return call
    torch.manual_seed(0)
    get = _kernels.get
    monkeypatch.setattr(_kernels, "start", lambda *_, **options: None)
    monkeypatch.setattr(_kernels, "get", watch)
    run()
    assert set(calls) == set(folder.glob("*"))
    for path, (arguments, results) in calls.items():
        check(path, tmp_path, arguments, results)


def test_folder_that_cannot_be(folder):
    folder.parent.mkdir()
    folder.write_text("a file")
    with pytest.raises(FileExistsError, match="kernels"):
        lattn.attention(Q, Q, Q)
