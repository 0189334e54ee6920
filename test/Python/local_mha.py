# REQUIRES: slow
# RUN: %cached_pytest %s

# lattn.local_mha: what the package computed, without torch.

import json
import pathlib

import ml_dtypes
import numpy as np
import pytest

import lattn

FOLDER = pathlib.Path(__file__).parents[1] / "Integration" / "CPU" / "cases"
NAMES = sorted(path.stem for path in FOLDER.glob("local_mha_[0-9]*.npz"))


@pytest.mark.parametrize("name", NAMES)
def test_golden(name):
    with np.load(FOLDER / f"{name}.npz") as file:
        arrays = dict(file)
    options = json.loads(str(arrays["options"]))
    ctor = options["ctor"]
    for key in ("dim", "dim_head", "dropout", "prenorm", "qk_rmsnorm",
                "gate_values_per_head"):
        ctor.pop(key, None)
    dtype = options["dtype"]
    x = arrays["in_x"].astype(getattr(ml_dtypes, dtype, dtype))
    bias = arrays.get("in_attn_bias")
    if bias is not None:
        bias = bias.astype("f8" if dtype == "float64" else "f4")
    weights = {n[2:]: a for n, a in arrays.items() if n.startswith("w_")}
    out = lattn.local_mha(x, weights, mask=arrays.get("in_mask"),
                          attn_bias=bias, **ctor)
    assert out.dtype == x.dtype
    tolerance = {"float64": 2e-5, "float32": 1e-4}.get(dtype, 0.1)
    np.testing.assert_allclose(out.astype("f8"), arrays["out"], rtol=tolerance,
                               atol=tolerance)


X = np.ones((1, 6, 4), "f4")
W = {"to_qkv.weight": np.ones((12, 4), "f4"), "to_out.weight": np.ones((4, 4))}


@pytest.mark.parametrize("weights, changes, error, match", [
    ({}, {"x": X[0]}, ValueError, "x: .*B, N, dim"),
    ({}, {"x": X.astype(int)}, TypeError, "x: .*int64"),
    ({}, {"heads": 3}, ValueError, "heads: .*divisor of 4, got 3"),
    ({}, {"dim": 4}, TypeError, "dim"),
    ({}, {"wide": True}, TypeError, "wide"),
    ({"to_qkv.weight": np.ones((12, 5))}, {}, ValueError,
     r"weights\['to_qkv.weight'\]: .*\(12, 4\), got \(12, 5\)"),
    ({"q_scale": np.ones(2)}, {}, ValueError, "'q_scale' and 'k_scale'"),
    ({"to_q": np.ones(2)}, {}, ValueError, "got 'to_q'"),
])
def test_errors(weights, changes, error, match):
    arguments = {"x": X, "heads": 2, "window_size": 2} | changes
    lattn.local_mha(X, W, heads=2, window_size=2)
    with pytest.raises(error, match=match):
        lattn.local_mha(arguments.pop("x"), W | weights, **arguments)


def test_what_is_missing():
    with pytest.raises(ValueError, match="'to_out.weight', which is missing"):
        lattn.local_mha(X, {"to_qkv.weight": W["to_qkv.weight"]}, window_size=2)
