# REQUIRES: slow, transformers
# RUN: %cached_pytest %s

# What attn_implementation="lattn" refuses, and masks of the caller's own.

import subprocess
import sys

import pytest
import torch
import transformers_models as models
from transformers import masking_utils

import lattn.transformers
from lattn import _transformers_masks as masks

IDS = torch.arange(3, 15).view(1, 12)


def mask_of(function, n=12, **options):
    return masks.make_mask(1, n, n, mask_function=function, **options)


@pytest.mark.parametrize("function, left, right", [
    (masking_utils.causal_mask_function, None, 0),
    (masking_utils.sliding_window_causal_mask_function(4), 3, 0),
    (masking_utils.sliding_window_bidirectional_mask_function(4), 4, 4)])
def test_windows(function, left, right):
    """They stay numbers: no array at all."""
    options = mask_of(function).options(12)
    assert options == {"window": lattn.Window(left, right), "offset": 0}


def test_chunks():
    function = masking_utils.chunked_causal_mask_function(
        4, torch.zeros(1, dtype=torch.long))
    assert mask_of(function).options(12)["window"] == lattn.Window(3, 0, 4)


def test_memory_is_linear():
    """Of all that a mask of 2**20 positions holds."""
    n = 1 << 20
    padding = torch.ones(1, n, dtype=torch.bool)
    padding[0, 0] = False
    function = masking_utils.packed_sequence_compatibility_function(
        masking_utils.sliding_window_causal_mask_function(4),
        torch.arange(n)[None], torch.zeros(1, n, dtype=torch.long))
    options = mask_of(function, n, attention_mask=padding).options(n)
    assert max(x.numel() for x in options.values()
               if isinstance(x, torch.Tensor)) == n


@pytest.mark.parametrize("compose", ["or_mask_function", "and_mask_function"])
def test_functions_of_the_caller(compose):
    """A prefix that all see, and a restriction, are no windows."""
    function = {"or_mask_function": lambda b, h, q, k: k < 5,
                "and_mask_function": lambda b, h, q, k: (q + k) % 3 > 0}[compose]
    join = (masking_utils.or_masks if compose == "or_mask_function" else
            masking_utils.and_masks)
    composed = join(masking_utils.causal_mask_function, function)
    dense = masking_utils.sdpa_mask(1, 12, 12, mask_function=composed,
                                    allow_is_causal_skip=False)
    q, k, v = torch.randn(3, 1, 2, 12, 16)
    found = lattn.attention(q, k, v, **mask_of(composed).options(12))
    torch.testing.assert_close(found, lattn.attention(q, k, v, attn_mask=dense))


def test_dense_mask_of_the_caller():
    eager, ours = (models.make(models.MODELS["llama"], x)
                   for x in ("eager", "lattn"))
    mask = torch.zeros(1, 1, 12, 12)
    mask[..., 3] = -1e30
    with torch.no_grad():
        found, expected = (x(input_ids=IDS, attention_mask=mask).logits
                           for x in (ours, eager))
    torch.testing.assert_close(found, expected, rtol=0, atol=2e-4)


@pytest.mark.parametrize("options, message", [
    (dict(output_attentions=True), "output_attentions: the weights are never"),
    (dict(layer_head_mask=torch.ones(2)), "layer_head_mask: no factor"),
    (dict(cache=object()), "cache: expected a PagedAttentionCache .* got object")])
def test_refused(options, message):
    q = torch.randn(1, 2, 3, 16)
    with pytest.raises(NotImplementedError, match=message):
        lattn.transformers._attend(torch.nn.Module(), q, q, q, None, **options)


def test_devices():
    q = torch.empty(1, 2, 3, 16, device="meta")
    with pytest.raises(NotImplementedError, match="query: expected a tensor of a "
                       "CPU or a CUDA device, got one of meta"):
        lattn.transformers._attend(torch.nn.Module(), q, q, q, None)


def test_shapes():
    q, k = torch.randn(1, 2, 12, 16), torch.randn(1, 2, 13, 16)
    with pytest.raises(ValueError, match="a mask of at least 13 keys, got one of"):
        lattn.transformers._attend(
            torch.nn.Module(), q, k, k,
            mask_of(masking_utils.causal_mask_function))
    for shape in (2, 12), (1, 12, 12):
        with pytest.raises(ValueError, match=r"attention_mask: expected the shape "
                           rf"\(B, M\) = \(1, M\), or four axes, got \({shape[0]}, 12"):
            mask_of(masking_utils.causal_mask_function,
                    attention_mask=torch.ones(shape))
    with pytest.raises(NotImplementedError, match="got Tensor of shape"):
        lattn.transformers._attend(torch.nn.Module(), q, q, q, torch.ones(1, 12))


def test_computing_with_the_mask():
    mask = mask_of(masking_utils.causal_mask_function)
    with pytest.raises(NotImplementedError, match="the model reads its mask as a tensor"):
        mask[:, :, :5]
    with pytest.raises(NotImplementedError, match="the model reads its mask as a tensor"):
        torch.zeros(3) + mask


@pytest.mark.parametrize("change", [
    "sys.modules['transformers'] = types.ModuleType('transformers')\n"
    "sys.modules['transformers'].__version__ = '4.40'",
    "sys.modules['transformers'] = None",
    "from transformers import masking_utils\n"
    "masking_utils.sdpa_mask = lambda cache_position: None",
    "from transformers import masking_utils\n"
    "del masking_utils.remap_positions_for_packed_sequence"])
def test_versions(change):
    code = f"import sys, types\n{change}\nimport lattn.transformers"
    found = subprocess.run([sys.executable, "-c", code], text=True,
                           capture_output=True)
    assert "ImportError: lattn.transformers: expected transformers 5.23" \
        in found.stderr


@pytest.mark.parametrize("name", ["lattn", "paged|lattn"])
def test_continuous_batching(name):
    """transformers' own functions take its own implementations only, and those of
    lattn.transformers take lattn's."""
    model = models.make(models.MODELS["llama"], name)
    with pytest.raises(ValueError, match="lattn is not supported for continuous "
                       "batching. Use 'paged.eager', 'sdpa'"):
        model.generate_batch(inputs=[[5, 6, 7]])
