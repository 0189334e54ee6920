# REQUIRES: slow
# RUN: %cached_pytest %s

# lattn.local_transformer: what the package computed, without torch.

import json
import pathlib
import sys

import numpy as np
import pytest

import lattn

FOLDER = pathlib.Path(__file__).parents[1] / "Integration" / "CPU" / "cases"
NAMES = sorted(path.stem for path in FOLDER.glob("local_transformer_[0-9]*.npz"))


def load(name, dtype="f8"):
    """(x, weights, options of the function, arrays)"""
    with np.load(FOLDER / f"{name}.npz") as file:
        arrays = dict(file)
    options = json.loads(str(arrays["options"]))["ctor"]
    for key in ("num_tokens", "max_seq_len", "dim", "depth", "dim_head",
                "num_residual_streams", "use_dynamic_pos_bias"):
        options.pop(key, None)
    weights = {n[2:]: a.astype(dtype) for n, a in arrays.items()
               if n.startswith("w_")}
    return arrays["in_x"], weights, options, arrays


@pytest.mark.parametrize("dtype, tolerance", [("f8", 2e-5), ("f4", 1e-4)])
@pytest.mark.parametrize("name", NAMES)
def test_golden(name, dtype, tolerance):
    x, weights, options, arrays = load(name, dtype)
    mask = arrays.get("in_mask")
    out = lattn.local_transformer(x, weights, mask=mask, **options)
    assert out.dtype == dtype
    np.testing.assert_allclose(out, arrays["out"], rtol=tolerance,
                               atol=tolerance)
    if "out_loss" in arrays:
        loss = lattn.local_transformer(x, weights, mask=mask, return_loss=True,
                                       **options)
        np.testing.assert_allclose(loss, arrays["out_loss"], rtol=tolerance)
    assert "torch" not in sys.modules


def test_without_embeddings():
    x, weights, options, _ = load(NAMES[0])
    tokens = weights.pop("token_emb.weight")[x]
    tokens = tokens + weights.pop("pos_emb.weight")[:x.shape[1]]
    head = {n: weights.pop(n) for n in list(weights) if "to_logits" in n}
    hidden = lattn.local_transformer(tokens, weights, **options)
    assert hidden.shape == tokens.shape
    hidden = hidden - hidden.mean(-1, keepdims=True)
    hidden /= np.sqrt((hidden**2).mean(-1, keepdims=True) + 1e-5)
    hidden = hidden * head["to_logits.0.weight"] + head["to_logits.0.bias"]
    x, weights, options, arrays = load(NAMES[0])
    np.testing.assert_allclose(hidden @ head["to_logits.1.weight"].T,
                               arrays["out"], rtol=2e-5, atol=2e-5)
    half = lattn.local_transformer(
        tokens.astype("f2"), {n: a for n, a in weights.items() if "layers" in n},
        **options)
    assert half.dtype == np.float16


@pytest.mark.parametrize("changes, error, match", [
    ({"x": np.zeros((2, 9))}, ValueError, "x: .*integers.*float64"),
    ({"x": np.zeros((2, 13), int)}, ValueError, "x: .*12 tokens.*got 13"),
    ({"x": np.full((2, 9), 23)}, ValueError, "tokens from 0 to 22, got 23"),
    ({"heads": 3}, ValueError, "heads: .*divisor of 8, got 3"),
    ({"wide": 1}, TypeError, "wide"),
    ({"global_layers.0.weight": 1}, ValueError, "got 'global_layers.0.weight'"),
])
def test_errors(changes, error, match):
    x, weights, options, _ = load(NAMES[0])
    weights |= {n: np.ones(2) for n in changes if "." in n}
    options |= {n: y for n, y in changes.items() if "." not in n}
    with pytest.raises(error, match=match):
        lattn.local_transformer(options.pop("x", x), weights, **options)


def test_what_is_missing():
    x, weights, options, _ = load(NAMES[0])
    del weights["layers.0.1.branch.4.weight"]
    with pytest.raises(ValueError, match="'layers.0.1.branch.4.weight', which"):
        lattn.local_transformer(x, weights, **options)
