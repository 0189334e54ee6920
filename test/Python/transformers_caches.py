# REQUIRES: slow, transformers
# RUN: %cached_pytest %s

# Generation of models with "lattn" by the caches of transformers, with a draft
# model, and with masks of a prefix that all see; more models with sliding windows.

import pytest
import torch
import transformers as hf
import transformers_models as models
from transformers import cache_utils

import lattn.transformers

torch.manual_seed(1)
IDS = torch.randint(3, 97, (2, 24))
PADDING = torch.ones_like(IDS)
PADDING[1, :9] = 0
MORE = {
    "exaone4": ("Exaone4", dict(sliding_window_pattern=2)),
    "olmo3": ("Olmo3", {}),
    "starcoder2": ("Starcoder2", {}),
    "smollm3": ("SmolLM3", dict(use_sliding_window=True, no_rope_layers=[1, 1])),
    "ministral": ("Ministral", dict(head_dim=16)),
    "modernbert_decoder": ("ModernBertDecoder", dict(local_attention=8)),
    "qwen2_moe": ("Qwen2Moe", dict(
        use_sliding_window=True, num_experts=4, num_experts_per_tok=2,
        moe_intermediate_size=48, shared_expert_intermediate_size=48)),
    "beam": ("Beam", {}),
    "youtu": ("Youtu", dict(  # values of another size than keys
        sliding_window=None, layer_types=None, num_key_value_heads=4,
        q_lora_rank=32, kv_lora_rank=32, qk_rope_head_dim=8, qk_nope_head_dim=16,
        v_head_dim=24)),
}


def generate(model, ids=IDS, **options):
    return model.generate(ids, max_new_tokens=12, do_sample=False,
                          **options).tolist()


@pytest.fixture(params=["mistral", "gemma3"])
def pair(request):
    return [models.make(models.MODELS[request.param], x)
            for x in ("eager", "lattn")]


class Rounded(cache_utils.QuantizedLayer):
    """Stands in for the backends of quantised caches: 8 bits a number."""

    def _quantize(self, tensor, axis=0):
        scale = tensor.abs().max() / 127
        return (tensor / scale).round().to(torch.int8), scale

    def _dequantize(self, q_tensor):
        numbers, scale = q_tensor
        return numbers * scale


@pytest.mark.parametrize("mask", [None, PADDING], ids=["whole", "padded"])
def test_quantized(pair, mask):
    found = []
    for model in pair:
        cache = cache_utils.Cache(layers=[
            Rounded(nbits=8, axis_key=0, axis_value=0, residual_length=4)
            for _ in range(2)])
        found.append(generate(model, past_key_values=cache, attention_mask=mask))
    assert found[0] == found[1]


def test_quantized_to_fp8():
    """transformers' own layers of 8-bit floats."""
    eager, ours = (models.make(models.MODELS["llama"], x)
                   for x in ("eager", "lattn"))
    found, expected = (generate(
        x, past_key_values=hf.QuantizedCache("fp8", x.config))
        for x in (ours, eager))
    assert found == expected


@pytest.mark.parametrize("mask", [None, PADDING], ids=["whole", "padded"])
@pytest.mark.parametrize("backend, package", [("quanto", "optimum.quanto"),
                                              ("hqq", "hqq")])
def test_quantized_by_packages(backend, package, mask):
    """4 bits a number; setup installs neither package."""
    pytest.importorskip(package)
    axis = int(backend == "hqq")
    found = []
    for name in ("eager", "lattn"):
        model = models.make(models.MODELS["llama"], name)
        cache = hf.QuantizedCache(
            backend, model.config, nbits=4, axis_key=axis, axis_value=axis,
            q_group_size=16, residual_length=4)
        found.append(generate(model, past_key_values=cache, attention_mask=mask))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["dynamic", "static"])
def test_caches(pair, name):
    eager, ours = (generate(x, cache_implementation=name,
                            attention_mask=PADDING) for x in pair)
    assert ours == eager


def test_draft_model():
    drafts, pair = ([models.make(models.MODELS[name], x)
                     for x in ("eager", "lattn")] for name in ("llama", "mistral"))
    found = [generate(x, IDS[:1], assistant_model=draft)
             for x, draft in zip(pair, drafts)]
    assert found[0] == found[1]


def test_prefix():
    """Tokens of the prefix see each other, as images of PaliGemma do."""
    def prefix(batch, head, q, k):
        return k < 7
    expected, found = (_logits_with(x, prefix) for x in ("eager", "lattn"))
    torch.testing.assert_close(found, expected, rtol=0, atol=2e-4)


def _logits_with(name, function):
    model = models.make(models.MODELS["llama"], name)
    embeddings = model.get_input_embeddings()(IDS)
    mask = hf.masking_utils.create_causal_mask(
        config=model.config, inputs_embeds=embeddings, attention_mask=None,
        past_key_values=None, position_ids=None, or_mask_function=function)
    with torch.no_grad():
        found = model(inputs_embeds=embeddings, use_cache=False,
                      attention_mask={"full_attention": mask}
                      if isinstance(mask, dict) else mask)
    return found.logits


@pytest.mark.parametrize("mask", [None, PADDING], ids=["whole", "padded"])
@pytest.mark.parametrize("name", MORE)
def test_more_models(name, mask):
    prefix, more = MORE[name]
    entry = (getattr(hf, prefix + "ForCausalLM"), getattr(hf, prefix + "Config"),
             {**models.WINDOW, **(models.TYPES if name != "starcoder2" else {}),
              **more})
    eager, ours = (models.make(entry, x) for x in ("eager", "lattn"))
    assert generate(eager, attention_mask=mask) == generate(
        ours, attention_mask=mask)
    seen = PADDING.bool() if mask is not None else torch.ones_like(IDS).bool()

    def logits(model):
        with torch.no_grad():
            return model(input_ids=IDS, attention_mask=mask).logits.float()[seen]
    expected = logits(eager)
    torch.testing.assert_close(logits(ours), expected, rtol=0, atol=2e-4)
    error, bound = ((logits(x.to(torch.bfloat16)) - expected).norm()
                    for x in (ours, eager))
    assert error <= 1.5 * bound
