# REQUIRES: slow, transformers
# RUN: %cached_pytest %s

# Masks that transformers composes, against its dense ones.

import pytest
import torch
from transformers import masking_utils as utils

import lattn
from lattn import _transformers_masks as masks

B, N, M = 2, 9, 17
IDS = torch.tensor([[-1] * 3 + [0] * 5 + [-1] * 4 + [1] * 10 + [-1] * 10,
                    [2] * 9 + [-1] * 2 + [3] * 12 + [-1] * 9])
LEFT = torch.tensor([0, 6])
FUNCTIONS = {
    "causal": utils.causal_mask_function,
    "bidirectional": utils.bidirectional_mask_function,
    "sliding": utils.sliding_window_causal_mask_function(4),
    "both sides": utils.sliding_window_bidirectional_mask_function(3),
    "chunks": utils.chunked_causal_mask_function(5, 0 * LEFT),
    "chunks behind padding": utils.chunked_causal_mask_function(5, LEFT),
    "two windows": utils.and_masks(utils.sliding_window_overlay(6),
                                   utils.sliding_window_causal_mask_function(4)),
    "blocks": utils.or_masks(utils.causal_mask_function,
                             utils.blockwise_overlay(IDS)),
    "blocks in windows": utils.or_masks(
        utils.sliding_window_causal_mask_function(4),
        utils.blockwise_overlay(IDS)),
    "prefix": utils.or_masks(utils.causal_mask_function,
                             lambda b, h, q, k: k < 11),
    "caller's": utils.and_masks(utils.causal_mask_function,
                                lambda b, h, q, k: (q + k) % 3 > 0),
}


def check(n, m, **options):
    """With q = 0, each row is the mean of the values of its keys."""
    dense = utils.sdpa_mask(B, n, m, allow_is_causal_skip=False, **options)
    q, k = torch.zeros(B, 1, n, 16), torch.zeros(B, 1, m, 16)
    v = torch.eye(m).expand(B, 1, m, m).contiguous()
    found = lattn.attention(q, k, v, **masks.make_mask(
        B, n, m, **options).options(m))
    weights = dense.expand(B, 1, n, m).float()
    expected = weights / weights.sum(-1, keepdim=True).clamp(min=1)
    assert 0 < weights.mean()
    torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("is_padded", [False, True])
@pytest.mark.parametrize("offsets", [(0, 0), (8, 0), (12, 5), (12, 4)])
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_mask(function, offsets, is_padded):
    """The first query and the first key stand at `offsets`, as with caches; a
    mask of padding may end before the keys do."""
    padding = None
    if is_padded:
        padding = torch.ones(B, sum(offsets) // 2 + 14, dtype=torch.bool)
        padding[1, :6] = False
    check(N, M, q_offset=offsets[0], kv_offset=offsets[1],
          mask_function=function, attention_mask=padding)


@pytest.mark.parametrize("name", ["causal", "sliding", "chunks", "both sides",
                                  "caller's"])
def test_packed(name):
    positions = torch.tensor([[*range(7), *range(2), *range(8)],
                              [*range(1), *range(12), *range(4)]])
    packed = utils.find_packed_sequence_indices(positions)
    check(M, M, mask_function=utils.packed_sequence_compatibility_function(
        FUNCTIONS[name], positions, packed))


@pytest.mark.parametrize("name", ["causal", "sliding", "both sides"])
def test_packed_in_one_batch(name):
    """Sequences with borders, unless a bias has all positions."""
    lengths = 7, 2, 1, 8
    positions = torch.cat([torch.arange(n) for n in lengths])[None]
    mask = masks.make_mask(1, sum(lengths), sum(lengths), mask_function=(
        utils.packed_sequence_compatibility_function(
            FUNCTIONS[name], positions,
            utils.find_packed_sequence_indices(positions))))
    options = mask.options(sum(lengths))
    assert options["cu_seqlens_q"].tolist() == [0, 7, 9, 10, 18]
    assert "q_segments" not in options
    q, k, v = torch.randn(3, 1, 2, sum(lengths), 8)
    torch.testing.assert_close(
        lattn.attention(q, k, v, **options),
        lattn.attention(q, k, v, **mask.options(sum(lengths), has_bias=True)))


def test_static_cache():
    """Its offset is a tensor."""
    check(N, M, q_offset=torch.tensor([8]), mask_function=FUNCTIONS["sliding"])
