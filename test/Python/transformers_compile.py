# REQUIRES: slow, transformers
# RUN: %cached_pytest %s

# torch.compile of models with "lattn", in whole graphs.

import pytest
import torch
import transformers_models as models
from torch._dynamo import utils
from transformers import masking_utils

import lattn.transformers  # registers
from lattn import _transformers_masks as masks

torch.manual_seed(1)
IDS = torch.randint(3, 97, (2, 24))
PADDING = torch.ones_like(IDS)
PADDING[1, :9] = 0
NAMES = ["mistral", "gpt_oss", "llama4", "modernbert"]
ALL = {**models.MODELS, **models.ENCODERS}
WHOLE = dict(backend="aot_eager", fullgraph=True)


@pytest.fixture(autouse=True)
def fresh():
    torch.compiler.reset()
    utils.counters.clear()


def close(found, expected):
    torch.testing.assert_close(found, expected, rtol=0, atol=2e-4)


@pytest.mark.parametrize("mask", [None, PADDING], ids=["whole", "padded"])
@pytest.mark.parametrize("name", NAMES)
def test_logits(name, mask):
    eager, ours = (models.make(ALL[name], x) for x in ("eager", "lattn"))
    given = dict(input_ids=IDS, attention_mask=mask)
    if name in models.MODELS:
        given["use_cache"] = False
    with torch.no_grad():
        expected, found = (x(**given).logits for x in (
            eager, torch.compile(ours, **WHOLE)))
    seen = slice(None) if mask is None else mask.bool()
    close(found[seen], expected[seen])


def test_packed_sequences():
    """The graph reads the positions, which change from call to call."""
    eager, ours = (models.make(models.MODELS["mistral"], x)
                   for x in ("eager", "lattn"))
    compiled = torch.compile(ours, **WHOLE)
    for lengths in ((9, 4, 11), (20, 4), (24,)):
        positions = torch.cat([torch.arange(n) for n in lengths])[None]
        with torch.no_grad():
            expected, found = (x(
                input_ids=IDS[:1], position_ids=positions, use_cache=False).logits
                for x in (eager, compiled))
        close(found, expected)
    assert utils.counters["stats"]["unique_graphs"] == 1


@pytest.mark.parametrize("cache", ["dynamic", "static"])
def test_generation(cache):
    """The prompt's graph, and one or two for all tokens."""
    eager, ours = (models.make(models.MODELS["gemma3"], x)
                   for x in ("eager", "lattn"))
    ours.forward = torch.compile(ours.forward, **WHOLE)
    found, expected = (x.generate(
        IDS, attention_mask=PADDING, max_new_tokens=10, do_sample=False,
        cache_implementation=cache).tolist() for x in (ours, eager))
    assert found == expected
    assert utils.counters["stats"]["unique_graphs"] <= 3


def test_training():
    found = []
    for name in ("eager", "lattn"):
        model = models.make(models.MODELS["mistral"], name)
        run = torch.compile(model, **WHOLE) if name == "lattn" else model
        run(input_ids=IDS, labels=IDS, use_cache=False).loss.backward()
        found.append({key: x.grad for key, x in model.named_parameters()})
    for key, x in found[0].items():
        assert (found[1][key] - x).norm() <= 1e-3 * x.norm() + 1e-7, key


def attend(mask_function):
    def run(q):
        mask = masks.make_mask(2, 24, 24, mask_function=mask_function())
        return lattn.attention(q, q, q, **mask.options(24))
    return run, torch.randn(2, 1, 24, 16)


@pytest.mark.parametrize("function", [
    lambda: masking_utils.sliding_window_bidirectional_mask_function(4),
    lambda: masking_utils.chunked_causal_mask_function(
        5, torch.tensor([0, 3])),
    lambda: masking_utils.and_masks(
        masking_utils.sliding_window_overlay(sliding_window=6),
        masking_utils.sliding_window_causal_mask_function(4))],
    ids=["both sides", "chunks", "two windows"])
def test_masks(function):
    run, q = attend(function)
    assert torch.equal(torch.compile(run, **WHOLE)(q), run(q))


def test_other_functions():
    """A graph breaks at masks by other functions, or says why it cannot."""
    run, q = attend(lambda: masking_utils.or_masks(
        masking_utils.causal_mask_function, lambda b, h, q, k: k < 5))
    close(torch.compile(run, backend="aot_eager")(q), run(q))
    torch.compiler.reset()
    with pytest.raises(RuntimeError, match="lattn computes masks of other funct"):
        torch.compile(run, **WHOLE)(q)


def test_functions_of_transformers():
    """Their values under torch.compile stay the same for other attention."""
    model = models.make(models.MODELS["mistral"], "sdpa")
    with torch.no_grad():
        found, expected = (x(input_ids=IDS, use_cache=False).logits for x in (
            torch.compile(model, **WHOLE), model))
    close(found, expected)
