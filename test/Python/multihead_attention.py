# REQUIRES: slow
# RUN: %cached_pytest %s

# lattn.multihead_attention: what torchscale and zeta computed, without torch.

import json
import pathlib
import sys

import numpy as np
import pytest

import lattn

FOLDER = pathlib.Path(__file__).parents[1] / "Integration" / "CPU" / "cases"
NAMES = sorted(path.stem for path in FOLDER.glob("multihead_attention_*.npz"))


def check(actual, expected, tolerance):
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_golden(name):
    with np.load(FOLDER / f"{name}.npz") as file:
        arrays = dict(file)
    options = json.loads(str(arrays["options"]))
    ctor, args = options["ctor"], options["args"]
    tolerance = 2e-5 if options["dtype"] == "float64" else 1e-4
    weights = {n[2:]: a for n, a in arrays.items() if n.startswith("w_")}
    state = {} if options["incremental"] else None
    for i in range(len(options["steps"])):
        inputs = (arrays[f"in_{n}_{i}"].astype(options["dtype"])
                  for n in ("query", "key", "value"))
        masks = {n: arrays.get(f"in_{n}_{i}")
                 for n in ("key_padding_mask", "attn_mask", "rel_pos")}
        out, stored = lattn.multihead_attention(
            *inputs, weights, num_heads=ctor["num_heads"],
            xpos_rel_pos=args["xpos_rel_pos"] and ctor["self_attention"],
            split_position=options["split_position"], incremental_state=state,
            is_first_step=options["is_first_step"] and i == 0, **masks)
        assert out.dtype == options["dtype"]
        check(out, arrays[f"out_{i}"], tolerance)
        if f"out_weights_{i}" in arrays:
            check(stored, arrays[f"out_weights_{i}"], tolerance)
        for entry in state or ():
            check(state[entry], arrays[f"state_{entry}_{i}"], tolerance)
    assert "torch" not in sys.modules


X = np.ones((2, 3, 4), "f4")
W = {f"{n}_proj.{kind}": np.ones((4, 4) if kind == "weight" else 4, "f4")
     for n in ("q", "k", "v", "out") for kind in ("weight", "bias")}


def test_rows():
    # A row without visible keys is NaN; without keys at all it is the bias.
    hidden = np.array([[True] * 3, [False] * 3])
    out, stored = lattn.multihead_attention(X, X, X, W, num_heads=2,
                                            key_padding_mask=hidden)
    assert np.isnan(out[0]).all() and np.isnan(stored[:, 0]).all()
    check(out[1], np.full((3, 4), 4 * 5 + 1.0), 1e-5)
    check(stored[:, 1], np.full((2, 3, 3), 1 / 3), 1e-5)
    out, stored = lattn.multihead_attention(X, X[:, :0], X[:, :0], W, num_heads=2)
    check(out, np.ones_like(X), 0)
    assert stored.shape == (2, 2, 3, 0)
    out, stored = lattn.multihead_attention(X[:, :0], X, X, W, num_heads=2,
                                            need_weights=False)
    assert out.shape == (2, 0, 4) and stored is None


@pytest.mark.parametrize("changes, error, match", [
    ({"query": X[0]}, ValueError, "query: .*B, N, dim"),
    ({"key": X.astype(int)}, TypeError, "key: .*int64"),
    ({"key": X[:1]}, ValueError, r"key: .*\(2, any, any\)"),
    ({"value": X[:, :2]}, ValueError, r"value: .*\(2, 3, any\)"),
    ({"query": X[..., :3]}, ValueError, r"'q_proj.weight'\]: .*\(any, 3\)"),
    ({"num_heads": 3}, ValueError, "num_heads: .*divisor of 4, got 3"),
    ({"num_heads": 4, "xpos_rel_pos": True}, ValueError, "even size, got 1"),
    ({"attn_mask": np.ones((2, 3, 3))}, ValueError, r"attn_mask: .*\(3, 3\)"),
    ({"key_padding_mask": np.ones((2, 2))}, ValueError, "key_padding_mask"),
    ({"weights": W | {"to_q": X}}, ValueError, "got 'to_q'"),
    ({"weights": {}}, ValueError, "'q_proj.weight', which is missing"),
])
def test_errors(changes, error, match):
    arguments = {"query": X, "key": X, "value": X, "weights": W,
                 "num_heads": 2} | changes
    with pytest.raises(error, match=match):
        lattn.multihead_attention(**arguments)


def test_split_position():
    weights = {n.replace(".", f".{branch}."): a * (1 if branch == "A" else 2)
               for n, a in W.items() for branch in "AB"}
    for split in (-2, 4):
        with pytest.raises(ValueError, match=f"split_position: .*got {split}"):
            lattn.multihead_attention(X, X, X, weights, num_heads=2,
                                      split_position=split)
