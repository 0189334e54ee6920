# REQUIRES: slow, transformers
# RUN: %cached_pytest %s

# Models that read images, by "lattn" and "eager": their prefix, or the tokens of an
# image, see each other.

import pytest
import torch
import transformers as hf
import transformers_models as models

import lattn.transformers  # registers

torch.manual_seed(1)
IMAGE = 96
IDS = torch.randint(3, IMAGE, (2, 20))
IDS[:, 8:12] = IMAGE
PADDING = torch.ones_like(IDS)
PADDING[1, :4] = 0
PIXELS = torch.randn(2, 3, 28, 28)
VISION = dict(model_type="siglip_vision_model", hidden_size=32,
              intermediate_size=48, num_hidden_layers=1, num_attention_heads=2,
              image_size=28, patch_size=14)
TEXT = dict(models.SIZES, head_dim=16, eos_token_id=2)
# The model, its configuration, and the tokens of type 1.
MODELS = {
    "paligemma": (
        hf.PaliGemmaForConditionalGeneration, hf.PaliGemmaConfig(
            vision_config=dict(VISION, projection_dim=64), projection_dim=64,
            text_config=dict(TEXT, model_type="gemma"), hidden_size=64,
            image_token_id=IMAGE), slice(14, None)),
    "gemma3": (
        hf.Gemma3ForConditionalGeneration, hf.Gemma3Config(
            vision_config=VISION, image_token_id=IMAGE, mm_tokens_per_image=4,
            text_config=dict(TEXT, **models.TYPES, model_type="gemma3_text",
                             sliding_window=3, query_pre_attn_scalar=16)),
        slice(8, 12)),
}


def make(name, attn_implementation):
    model, config, _ = MODELS[name]
    torch.manual_seed(0)
    return models.spread(model._from_config(
        config, attn_implementation=attn_implementation))


def arguments(name, mask):
    types = torch.zeros_like(IDS)
    types[:, MODELS[name][2]] = 1
    return dict(input_ids=IDS, pixel_values=PIXELS, token_type_ids=types,
                attention_mask=mask)


@pytest.mark.parametrize("mask", [None, PADDING], ids=["whole", "padded"])
@pytest.mark.parametrize("name", MODELS)
def test_images(name, mask):
    pair = [make(name, x) for x in ("eager", "lattn")]
    given = arguments(name, mask)
    seen = slice(None) if mask is None else mask.bool()
    for labels in (None, IDS):  # with labels, as in training
        with torch.no_grad():
            expected, found = (x(**given, labels=labels).logits[seen]
                               for x in pair)
        assert expected.std() > 0.1
        torch.testing.assert_close(found, expected, rtol=0, atol=2e-4)
    for cache in (None, "static"):
        expected, found = (
            x.generate(**given, max_new_tokens=8, do_sample=False,
                       cache_implementation=cache).tolist() for x in pair)
        assert found == expected


@pytest.mark.parametrize("name", MODELS)
def test_images_see_later_tokens(name):
    """So that the test above would notice a mask without the images."""
    model, given = make(name, "lattn"), arguments(name, None)
    later = 10 if name == "gemma3" else 13
    embeddings = model.get_input_embeddings()

    def first(change):
        embedded = embeddings(IDS.clamp(max=IMAGE - 1))
        embedded[:, later] += change
        more = {k: x for k, x in given.items() if k not in (
            "input_ids", "pixel_values")}
        with torch.no_grad():
            return model(inputs_embeds=embedded, labels=IDS, **more).logits[:, 8]
    assert (first(1.0) - first(0.0)).abs().max() > 1e-3
