# REQUIRES: slow
# RUN: %cached_pytest %s

# scaled_dot_product_attention against the oracle, and against torch's own where
# torch is.

import numpy as np
import oracle
import pytest

import lattn

try:
    import torch
except ImportError:
    torch = None

RNG = np.random.default_rng(0)
CASES = [  # shapes of query, key, value and mask; options
    ((2, 4, 5, 8), (2, 4, 7, 8), (2, 4, 7, 6), None, {}),
    ((2, 4, 5, 8), (2, 4, 7, 8), (2, 4, 7, 6), None, {"is_causal": True}),
    ((2, 4, 7, 8), (2, 4, 5, 8), (2, 4, 5, 6), None, {"is_causal": True}),
    ((2, 4, 5, 8), (2, 2, 7, 8), (2, 2, 7, 6), (5, 7), {"enable_gqa": True}),
    ((2, 4, 5, 8), (2, 4, 7, 8), (2, 4, 7, 6), (4, 1, 7), {"scale": 0.3}),
    ((2, 4, 5, 8), (2, 4, 7, 8), (2, 4, 7, 6), (2, 1, 5, 7), {}),
    ((3, 5, 8), (3, 7, 8), (3, 7, 6), (3, 5, 7), {}),
    ((3, 5, 8), (3, 7, 8), (3, 7, 6), (5, 7), {}),
    ((5, 8), (7, 8), (7, 6), (5, 7), {}),
    ((2, 3, 4, 5, 8), (2, 3, 4, 7, 8), (2, 3, 4, 7, 6), (3, 1, 5, 7), {}),
    ((2, 4, 5, 8), (1, 4, 7, 8), (2, 1, 7, 6), None, {}),
    ((1, 4, 5, 8), (2, 2, 7, 8), (2, 2, 7, 6), None, {"enable_gqa": True}),
]


def make(case, kind):
    arrays = [RNG.standard_normal(shape).astype("f4") for shape in case[:3]]
    mask = None
    if case[3] is not None:
        mask = (RNG.random(case[3]) < 0.7 if kind == "bool" else
                RNG.standard_normal(case[3]).astype("f4"))
    return arrays, mask


def expect(arrays, mask, is_causal=False, enable_gqa=False, scale=None):
    q, k, v = arrays
    heads = q.shape[-3] if q.ndim > 2 else 1
    if enable_gqa:
        k, v = (np.repeat(x, heads // x.shape[-3], axis=-3) for x in (k, v))
    lead = np.broadcast_shapes(*(x.shape[:-2] for x in (q, k, v)))

    def flat(x):
        return np.broadcast_to(x, lead + x.shape[-2:]).reshape(
            -1, 1, *x.shape[-2:])

    if mask is not None:
        mask = np.broadcast_to(mask, lead + (q.shape[-2], k.shape[-2]))
        mask = mask.reshape(-1, 1, *mask.shape[-2:])
    output, _ = oracle.attention(flat(q), flat(k), flat(v), causal=is_causal,
                                 offset=0, attn_mask=mask, scale=scale)
    return output.reshape(*lead, *output.shape[-2:])


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize("case", CASES)
def test_numbers(case, kind):
    arrays, mask = make(case, kind)
    actual = lattn.scaled_dot_product_attention(*arrays, mask, **case[4])
    np.testing.assert_allclose(actual, expect(arrays, mask, **case[4]), 3e-6,
                               3e-6)
    if torch is None:
        return
    tensors = [torch.from_numpy(x) for x in arrays]
    if mask is not None:
        mask = torch.from_numpy(mask)
    of_torch = lattn.scaled_dot_product_attention(*tensors, mask, **case[4])
    assert isinstance(of_torch, torch.Tensor)
    np.testing.assert_allclose(of_torch, actual, 1e-6, 1e-6)
    theirs = torch.nn.functional.scaled_dot_product_attention(
        *tensors, mask, **case[4])
    seen = np.isfinite(theirs.numpy()).all(-1)  # rows without keys
    np.testing.assert_allclose(of_torch.numpy()[seen], theirs.numpy()[seen],
                               3e-6, 3e-6)


def test_dropout():
    arrays, _ = make(CASES[0], "bool")
    np.random.seed(3)
    seed = np.random.randint(0, 2**63 - 1, dtype=np.int64)
    np.random.seed(3)
    np.testing.assert_array_equal(
        lattn.scaled_dot_product_attention(*arrays, None, 0.5),
        lattn.attention(*arrays, dropout_p=0.5, seed=seed))


@pytest.mark.skipif(torch is None, reason="needs torch")
def test_seed_of_torch():
    arrays, _ = make(CASES[0], "bool")
    tensors = [torch.from_numpy(x) for x in arrays]
    results = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        results.append(
            lattn.scaled_dot_product_attention(*tensors, dropout_p=0.5))
    assert torch.equal(results[0], results[1])
    assert not torch.equal(results[0], results[2])


Q = np.zeros((2, 4, 5, 8), "f4")


@pytest.mark.parametrize("args, options, error, message", [
    ((Q, Q, Q, np.ones((5, 5), bool)), {"is_causal": True}, ValueError,
     "is_causal: .*attn_mask"),
    (([1], Q, Q), {}, TypeError, "query: expected an array, got list"),
    ((Q, Q, Q[0, 0, 0]), {}, ValueError, "value: expected at least 2 axes"),
    ((Q, Q[:, :2], Q[:, :2]), {}, ValueError, r"broadcast, got .*\(2, 2\)"),
    ((Q, Q[:, :3], Q[:, :3]), {"enable_gqa": True}, ValueError, "divides"),
    ((Q, Q, Q, np.ones((4, 5), bool)), {}, ValueError, "attn_mask: .*broadcast"),
    ((Q[0], Q[0], Q[0], np.ones((3, 5, 5), bool)), {}, ValueError,
     r"attn_mask: .*\(4, 5, 5\), got \(3, 5, 5\)"),
    ((Q[0], Q[0], Q[0], 3), {}, TypeError, "attn_mask: .*got int"),
    ((Q, Q, Q), {"dropout_p": 2}, ValueError, "dropout_p"),
    ((Q, Q[..., :4], Q), {}, ValueError, "k: expected the shape"),
])
def test_errors(args, options, error, message):
    with pytest.raises(error, match=message):
        lattn.scaled_dot_product_attention(*args, **options)
