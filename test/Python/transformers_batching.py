# REQUIRES: slow, transformers
# RUN: %cached_pytest %s

# Continuous batching with lattn gives the tokens that generate() gives with "eager",
# one prompt at a time.

import functools
import threading

import pytest
import torch
import transformers as hf
import transformers_models as models
from transformers.generation import continuous_batching

import lattn.transformers
from lattn import _transformers_batching as batching

NAMES = ["llama", "mistral", "gemma2", "gemma3", "gpt_oss", "qwen2", "qwen3", "phi3",
         "cohere2"]
# Shorter and longer than a page, the window, and a batch of 32 tokens.
LENGTHS = [5, 1, 17, 40, 9, 23, 2, 33]
torch.manual_seed(1)
PROMPTS = [torch.randint(3, 96, (n,)).tolist() for n in LENGTHS]
GREEDY = dict(max_new_tokens=14, do_sample=False, eos_token_id=11, pad_token_id=0)


def small(**options):
    """Three requests and 32 tokens a batch, and few pages."""
    return hf.ContinuousBatchingConfig(**{**dict(
        page_size=8, num_blocks=60, max_batch_tokens=32,
        max_requests_per_batch=3), **options})


def generate(model, prompts=PROMPTS, **options):
    """Kept: many tests compare with the same tokens."""
    known = vars(model).setdefault("known_tokens", {})
    key = repr((prompts, options))
    if key not in known:
        generation = hf.GenerationConfig(**{**GREEDY, **options})
        known[key] = [model.generate(torch.tensor([x]), generation_config=generation)
                      [0, len(x):].tolist() for x in prompts]
    return known[key]


def generate_batch(model, prompts=PROMPTS, batches=None, **options):
    found = lattn.transformers.generate_batch(
        model, prompts, hf.GenerationConfig(**{**GREEDY, **options}),
        batches or small())
    assert [x.error for x in found.values()] == [None] * len(prompts)
    return [x.generated_tokens for x in found.values()]


@functools.cache
def make(name):
    return models.make(models.MODELS[name], "eager")


@pytest.fixture(params=NAMES)
def model(request):
    return make(request.param)


# Full attention, sliding windows, and both with a softcap.
three = pytest.mark.parametrize("model", NAMES[:3], indirect=True)


@pytest.fixture
def llama():
    return make("llama")


@pytest.fixture
def calls(monkeypatch):
    """The options of each call of the kernels."""
    found = []

    def attention(*arrays, **options):
        found.append(options)
        return lattn.attention(*arrays, **options)

    monkeypatch.setattr(batching, "attention", attention)
    return found


BATCHES = {
    "small": small(),
    "chunks": small(page_size=4, max_batch_tokens=5, max_requests_per_batch=2),
    "large": hf.ContinuousBatchingConfig(num_blocks=8),
    "prefill_first": small(scheduler_type="prefill_first",
                           allow_block_sharing=False)}


@pytest.mark.parametrize("model, batches", [
    *((name, "small") for name in NAMES),
    *((name, x) for name in NAMES[:3] for x in BATCHES if x != "small")],
    indirect=["model"])
def test_tokens(model, batches, calls):
    expected = generate(model)
    assert generate_batch(model, batches=BATCHES[batches]) == expected
    assert len(set(map(tuple, expected))) > len(PROMPTS) // 2  # tells prompts apart
    sliding = [x["window"] for x in calls if x["window"][0] is not None]
    assert set(sliding) <= {(6, 0)}
    assert bool(sliding) == (getattr(model.config, "sliding_window", 0) == 7)
    assert model.config._attn_implementation == "eager"


@three
def test_logits(model, monkeypatch):
    """The logits of each step, not only the likeliest token."""
    found = lattn.transformers.generate_batch(
        model, PROMPTS, hf.GenerationConfig(**GREEDY), small(return_logprobs=True))
    for prompt, output in zip(PROMPTS, found.values()):
        tokens = prompt + output.generated_tokens
        with torch.no_grad():
            logits = model(torch.tensor([tokens])).logits[0]
        weights = logits.log_softmax(-1)[len(prompt) - 1:-1]
        expected = weights.gather(1, torch.tensor(output.generated_tokens)[:, None])
        torch.testing.assert_close(torch.tensor(output.logprobs), expected[:, 0],
                                   rtol=0, atol=5e-4)


def test_optimized(model):
    expected = generate(model)
    lattn.transformers.optimize(model)
    try:
        assert generate_batch(model) == expected
    finally:
        lattn.transformers.restore(model)


@three
def test_bfloat16(model):
    made = models.make((type(model), *models.MODELS[_name_of(model)][1:]), "eager")
    found = generate_batch(made.to(torch.bfloat16))
    assert all(1 <= len(x) <= 14 and all(0 <= t < 97 for t in x) for x in found)
    # Rounding changes later tokens; most first ones stay.
    first = [x[0] for x in generate(model)]
    assert sum(x[0] == y for x, y in zip(found, first)) >= len(PROMPTS) // 2


def _name_of(model):
    return next(k for k, x in models.MODELS.items() if x[0] is type(model))


def test_in_pages(llama, calls):
    """Full layers read the cache's pages; only first chunks have rows of their own."""
    generate_batch(llama)
    assert any("pages" in x for x in calls)
    assert all(("pages" in x) != ("cu_seqlens_k" in x) for x in calls)


def test_shared_prefix(llama):
    start = PROMPTS[3][:24]  # three pages
    prompts = [start + x for x in PROMPTS] + [start + PROMPTS[0]]
    expected = generate(llama, prompts)
    with lattn.transformers.continuous_batching(
            llama, hf.GenerationConfig(**GREEDY), small()) as manager:
        found = []
        for prompt in prompts:  # later ones find the pages of the first
            name = manager.add_request(prompt)
            found.append(next(manager.request_id_iter(name)).generated_tokens)
        cache = manager.batch_processor.cache
        assert cache.use_prefix_sharing
        assert cache.search_prefix_match("another", prompts[1]) >= 24
        cache.free_blocks("another")
    assert found == expected


def test_children(llama):
    """Requests that are forked behind their prompt."""
    found = lattn.transformers.generate_batch(
        llama, PROMPTS[:3], hf.GenerationConfig(
            **{**GREEDY, "do_sample": True, "num_return_sequences": 2}), small())
    assert len(found) == 6 and not any(x.error for x in found.values())


@three
def test_streams(model):
    expected = generate(model, PROMPTS[:3])
    with lattn.transformers.continuous_batching(
            model, hf.GenerationConfig(**GREEDY), small()) as manager:
        names = [manager.add_request(x, streaming=True) for x in PROMPTS[:3]]
        parts = {name: [] for name in names}
        done = set()
        for part in manager:
            parts[part.request_id].append(list(part.generated_tokens))
            if part.is_finished():
                done.add(part.request_id)
            if len(done) == 3:
                break
    for name, tokens in zip(names, expected):
        assert parts[name][-1] == tokens
        assert [len(x) for x in parts[name]] == sorted(len(x) for x in parts[name])
        assert all(tokens[:len(x)] == x for x in parts[name])
        assert len(parts[name]) >= len(tokens)


def test_samples(llama):
    """A seed gives the samples that "sdpa" gives."""
    options = dict(do_sample=True, temperature=0.8, top_k=20)
    llama.set_attn_implementation("sdpa")
    try:
        torch.manual_seed(5)
        expected = llama.generate_batch(
            PROMPTS, hf.GenerationConfig(**{**GREEDY, **options}), small(seed=4))
        torch.manual_seed(5)
        found = generate_batch(llama, batches=small(seed=4), **options)
    finally:
        llama.set_attn_implementation("eager")
    assert found == [x.generated_tokens for x in expected.values()]
    assert found != generate(llama)


def test_lengths(llama):
    generation = hf.GenerationConfig(**{**GREEDY, "eos_token_id": -1})
    found = lattn.transformers.generate_batch(llama, PROMPTS, generation, small(),
                                              max_new_tokens=3)
    assert [len(x.generated_tokens) for x in found.values()] == [3] * len(PROMPTS)
    assert lattn.transformers.generate_batch(llama, []) == {}


def test_end_of_text(llama):
    end = generate(llama, eos_token_id=-1)[0][2]
    expected = generate(llama, eos_token_id=end)
    assert len(expected[0]) <= 3 and expected[0][-1] == end
    assert generate_batch(llama, eos_token_id=end) == expected


def test_inference_mode(llama):
    expected = generate(llama)
    with torch.inference_mode():
        assert generate_batch(llama) == expected


def test_few_pages(llama):
    """Requests leave the cache and come back."""
    assert generate_batch(llama, batches=small(num_blocks=9)) == generate(llama)


@pytest.mark.parametrize("name", ["eager", "sdpa", "lattn"])
def test_implementation_comes_back(llama, name):
    llama.set_attn_implementation(name)
    try:
        generate_batch(llama, PROMPTS[:1])
        assert llama.config._attn_implementation == name
        with pytest.raises(RuntimeError, match="in the block"):
            with lattn.transformers.continuous_batching(
                    llama, hf.GenerationConfig(**GREEDY), small()):
                assert llama.config._attn_implementation == "lattn"
                raise RuntimeError("in the block")
        assert llama.config._attn_implementation == name
        with pytest.raises(MemoryError):
            generate_batch(llama, batches=small(num_blocks=10**12))
        assert llama.config._attn_implementation == name
    finally:
        llama.set_attn_implementation("eager")


def test_parts():
    """Configurations inside of one have implementations of their own."""
    config = hf.LlavaConfig(text_config=hf.LlamaConfig(**models.SIZES))
    config._attn_implementation = "eager"
    config.text_config._attn_implementation = "sdpa"
    config.vision_config._attn_implementation = None
    assert batching._get_implementations(config) == {
        "": "eager", "text_config": {"": "sdpa"}, "vision_config": {"": "eager"}}


def test_model_with_images():
    """Its language model is a part, which also changes back."""
    vision = dict(model_type="siglip_vision_model", hidden_size=32,
                  intermediate_size=48, num_hidden_layers=1, num_attention_heads=2,
                  image_size=28, patch_size=14)
    text = dict(models.SIZES, **models.TYPES, model_type="gemma3_text", head_dim=16,
                sliding_window=3, query_pre_attn_scalar=16)
    model = models.spread(hf.Gemma3ForConditionalGeneration._from_config(
        hf.Gemma3Config(vision_config=vision, text_config=text, image_token_id=96,
                        mm_tokens_per_image=4), attn_implementation="eager"))
    expected = generate(model)
    model.set_attn_implementation({"text_config": "sdpa"})
    assert generate_batch(model) == expected
    assert model.config._attn_implementation == "eager"
    assert model.config.text_config._attn_implementation == "sdpa"


def test_manager_at_work(llama):
    with lattn.transformers.continuous_batching(
            llama, hf.GenerationConfig(**GREEDY), small()):
        with pytest.raises(RuntimeError, match="another manager of lattn runs it"):
            generate_batch(llama)
        assert llama.config._attn_implementation == "lattn"
    assert generate_batch(llama, PROMPTS[:1]) == generate(llama, PROMPTS[:1])


def test_kept_manager(llama):
    """It has made its masks for another implementation."""
    llama.set_attn_implementation("sdpa")
    try:
        llama.generate_batch(PROMPTS[:1], hf.GenerationConfig(**GREEDY), small(),
                             persistent_manager=True)
        with pytest.raises(ValueError, match="expected no manager that a call with "
                           "persistent_manager=True kept"):
            generate_batch(llama)
        assert llama.config._attn_implementation == "sdpa"
    finally:
        llama.destroy_cached_continuous_batching_manager()
        llama.set_attn_implementation("eager")


@pytest.mark.parametrize("options", [
    dict(varlen_compile_config=hf.CompileConfig()), dict(default_compile_level=1)])
def test_compiled(llama, options):
    with pytest.raises(NotImplementedError, match="expected no compiled functions"):
        generate_batch(llama, batches=small(**options))
    assert llama.config._attn_implementation == "eager"


def test_models_and_options(llama):
    with pytest.raises(TypeError, match="model: expected a model of transformers that "
                       "generates text, got Linear"):
        lattn.transformers.generate_batch(torch.nn.Linear(2, 2), PROMPTS)
    other = hf.BloomForCausalLM(hf.BloomConfig(
        vocab_size=97, hidden_size=64, n_layer=1, n_head=4))
    with pytest.raises(NotImplementedError, match="hands the cache to the "
                       "implementation of attention, got BloomForCausalLM"):
        lattn.transformers.generate_batch(other, PROMPTS)
    chunks = models.make(models.MODELS["llama4"], "eager")
    with pytest.raises(ValueError, match="Invalid layer type: chunked_attention"):
        generate_batch(chunks)
    assert chunks.config._attn_implementation == "eager"
    with torch.device("meta"):
        far = hf.LlamaForCausalLM(hf.LlamaConfig(**models.SIZES))
    with pytest.raises(NotImplementedError, match="model: expected one on a CPU, got "
                       "one on meta"):
        lattn.transformers.generate_batch(far, PROMPTS)
    with pytest.raises(NotImplementedError, match="generation_config: "
                       "output_attentions: the weights are never in memory"):
        generate_batch(llama, output_attentions=True)


@pytest.mark.parametrize("prompts, got", [
    ([[5], ["a", "b"]], "str in prompt 1"), (["text"], "str in prompt 0"),
    ([torch.tensor([5])], "Tensor in prompt 0")])
def test_prompts(llama, prompts, got):
    with pytest.raises(TypeError, match=r"inputs: expected a list of tokens \(int\) "
                       f"for each prompt, got {got}"):
        lattn.transformers.generate_batch(llama, prompts)


def test_table_of_flash_attention(llama):
    cache = object.__new__(continuous_batching.PagedAttentionCache)
    q = torch.randn(1, 2, 3, 16)
    with pytest.raises(NotImplementedError, match="block_table: expected None"):
        lattn.transformers._attend(torch.nn.Module(), q, q, q, None, cache=cache,
                                   block_table=torch.zeros(1, 1))


def test_failure_in_a_step(llama, monkeypatch):
    """transformers reports it in each request."""
    def fail(*_, **__):
        raise ValueError("a wrong argument")

    monkeypatch.setattr(batching, "attention", fail)
    found = lattn.transformers.generate_batch(
        llama, PROMPTS, hf.GenerationConfig(**GREEDY), small())
    assert {x.error for x in found.values()} == {"a wrong argument"}
    assert llama.config._attn_implementation == "eager"
    assert threading.active_count() < 10
