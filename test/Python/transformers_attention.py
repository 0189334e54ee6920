# REQUIRES: slow, transformers
# RUN: %cached_pytest %s

# attn_implementation="lattn" against transformers' "eager": logits, generated
# tokens and gradients.

import pytest
import torch
import transformers_models as models

import lattn.transformers  # registers

torch.manual_seed(1)
IDS = torch.randint(3, 97, (2, 24))
PADDING = {"none": None, "left": torch.ones(2, 24, dtype=torch.long),
           "right": torch.ones(2, 24, dtype=torch.long)}
PADDING["left"][1, :9] = 0
PADDING["right"][1, 15:] = 0
ALL = {**models.MODELS, **models.ENCODERS, **models.OTHER_ENCODERS}


def pair(name, **more):
    known = {**ALL, **models.SEQ2SEQ, "gpt_neo": models.GPT_NEO}
    return [models.make(known[name], x, **more) for x in ("eager", "lattn")]


def close(found, expected, tolerance=2e-4):
    torch.testing.assert_close(found, expected, rtol=0, atol=tolerance)


def logits(model, mask, **more):
    with torch.no_grad():
        found = model(input_ids=IDS, attention_mask=mask, **more).logits
    return found if mask is None or mask.ndim > 2 else found[mask.bool()]


@pytest.mark.parametrize("name", ALL)
def test_logits(name):
    eager, ours = pair(name)
    for mask in PADDING.values():
        expected = logits(eager, mask)
        assert expected.std() > 0.1
        close(logits(ours, mask), expected)


@pytest.mark.parametrize("cache", [None, "static"])
@pytest.mark.parametrize("name", models.MODELS)
def test_generation(name, cache):
    eager, ours = pair(name)
    options = dict(max_new_tokens=10, do_sample=False, cache_implementation=cache)
    for side in ("none", "left"):
        found, expected = (x.generate(IDS, attention_mask=PADDING[side], **options)
                           for x in (ours, eager))
        assert found.tolist() == expected.tolist()


def test_gpt_neo():
    eager, ours = pair("gpt_neo")
    wide, _ = pair("gpt_neo", window_size=100)
    for mask in PADDING.values():
        close(logits(ours, mask), logits(eager, mask))
    assert (logits(wide, None) - logits(eager, None)).abs().max() > 0.1
    hidden = torch.zeros(2, 1, 24, 24).masked_fill(
        torch.rand(2, 1, 24, 24) < 0.3, torch.finfo(torch.float32).min)
    hidden[..., 0] = 0  # the first query's key
    close(logits(ours, hidden), logits(eager, hidden))
    found, expected = (x.generate(IDS, attention_mask=PADDING["left"],
                                  max_new_tokens=10, do_sample=False)
                       for x in (ours, eager))
    assert found.tolist() == expected.tolist()
    found, expected = (gradients(x, PADDING["left"]) for x in (ours, eager))
    for key, x in expected.items():
        assert (found[key] - x).norm() <= 1e-3 * x.norm() + 1e-7, key


@pytest.mark.parametrize("options", [
    dict(num_beams=3), dict(do_sample=True, temperature=0.7),
    dict(prompt_lookup_num_tokens=3)], ids=["beams", "sampled", "assisted"])
def test_decoding(options):
    eager, ours = pair("mistral")
    if "prompt_lookup_num_tokens" not in options:
        options = dict(options, attention_mask=PADDING["left"])
    ids = IDS if "attention_mask" in options else IDS[:1, :8].repeat(1, 3)
    found = []
    for model in (ours, eager):
        torch.manual_seed(2)
        found.append(model.generate(ids, max_new_tokens=10, **options).tolist())
    assert found[0] == found[1]


def gradients(model, mask, **more):
    model.train()
    labels = IDS
    if mask is not None:  # nor what a padded position predicts
        labels = IDS.masked_fill((mask & mask.roll(1, 1)) == 0, -100)
    model(input_ids=IDS, attention_mask=mask, labels=labels, **more).loss.backward()
    return {name: x.grad for name, x in model.named_parameters()
            if x.grad is not None}


@pytest.mark.parametrize("name", ALL)
def test_gradients(name):
    eager, ours = pair(name)
    expected = gradients(eager, PADDING["left"])
    found = gradients(ours, PADDING["left"])
    assert found.keys() == expected.keys()
    for key, x in expected.items():
        assert (found[key] - x).norm() <= 1e-3 * x.norm() + 1e-7, key


def test_dropout_and_checkpoints():
    """Checkpoints drop the same weights again."""
    found = []
    for is_checkpointed in (False, True):
        model = models.make(models.MODELS["mistral"], "lattn",
                            attention_dropout=0.3)
        if is_checkpointed:
            model.gradient_checkpointing_enable()
        torch.manual_seed(5)
        found.append(gradients(model, None, use_cache=False))
    plain = gradients(models.make(models.MODELS["mistral"], "lattn"), None)
    for key, x in found[0].items():
        close(found[1][key], x, 1e-6)
    assert any((plain[key] - x).abs().max() > 1e-4 for key, x in found[0].items())


@pytest.mark.parametrize("name", ["mistral", "gemma3", "llama4", "qwen3"])
def test_packed_sequences(name):
    """Sequences by their positions, each as if it were alone."""
    _, ours = pair(name)
    lengths = 9, 4, 11
    positions = torch.cat([torch.arange(n) for n in lengths])[None]
    with torch.no_grad():
        found = ours(input_ids=IDS[:1], position_ids=positions,
                     use_cache=False).logits
        expected = [ours(input_ids=x, use_cache=False).logits
                    for x in IDS[:1].split(lengths, 1)]
    close(found, torch.cat(expected, 1))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half(dtype):
    eager, ours = pair("gpt_oss")
    expected = logits(eager, PADDING["left"])
    error, bound = (
        (logits(x.to(dtype), PADDING["left"]).float() - expected).abs().max()
        for x in (ours, eager))
    assert error <= 2 * bound


def test_bias():
    """T5: a bias of positions, causal and cross attention."""
    eager, ours = pair("t5")
    for mask in PADDING.values():
        expected = logits(eager, mask, decoder_input_ids=IDS)
        close(logits(ours, mask, decoder_input_ids=IDS), expected)
        found, expected = (
            x.generate(IDS, attention_mask=mask, max_new_tokens=8).tolist()
            for x in (ours, eager))
        assert found == expected


def test_cross_attention():
    features = torch.randn(2, 8, 40)
    eager, ours = map(models.make_whisper, ("eager", "lattn"))
    with torch.no_grad():
        found, expected = (
            x(input_features=features, decoder_input_ids=IDS).logits
            for x in (ours, eager))
    close(found, expected)
    found, expected = (
        x.generate(features, max_new_tokens=10, do_sample=False).tolist()
        for x in (ours, eager))
    assert found == expected
