# REQUIRES: slow, transformers
# RUN: %cached_pytest %s

# lattn.transformers.optimize against transformers' "eager", for every class of
# layers that it takes.

import copy
import pickle

import pytest
import torch
import transformers_models as models
from torch import nn

from lattn import transformers as ours

torch.manual_seed(1)
# Rows that are many to all kernels; and few.
IDS = torch.randint(3, 97, (2, 160))
PADDING = torch.ones_like(IDS)
PADDING[1, :31] = 0
ALL = {name: x for name, x in {**models.MODELS, **models.ENCODERS}.items()
       if name != "llama4"}
# Projections, norms, rotary embeddings and networks of two layers and a head.
COUNTS = {"gemma2": (15, 9, 2, 2), "gemma3": (15, 13, 2, 2),
          "gpt_oss": (9, 5, 2, 0), "qwen3": (15, 9, 2, 2),
          "phi3": (9, 5, 2, 2), "cohere2": (15, 3, 0, 2),
          "modernbert": (9, 0, 2, 2)}


def pair(name, **more):
    eager, model = (models.make(ALL[name], x, **more) for x in ("eager", "lattn"))
    return eager, model, ours.optimize(model)


def close(found, expected, tolerance=2e-4):
    torch.testing.assert_close(found, expected, rtol=0, atol=tolerance)


def logits(model, ids=IDS, mask=None):
    with torch.no_grad():
        found = model(input_ids=ids, attention_mask=mask).logits
    return found if mask is None else found[mask.bool()]


@pytest.mark.parametrize("name", ALL)
def test_logits(name):
    eager, model, summary = pair(name)
    assert tuple(len(getattr(summary, part)) for part in (
        "projections", "norms", "rotary", "networks")) == COUNTS.get(
            name, (15, 5, 2, 2))
    for ids, mask in (IDS, None), (IDS, PADDING), (IDS[:1, :3], None):
        expected = logits(eager, ids, mask)
        assert expected.std() > 0.1
        close(logits(model, ids, mask), expected)


@pytest.mark.parametrize("name", ALL)
def test_restored(name):
    """The same bits, and the same dicts of each module."""
    model = models.make(ALL[name], "lattn")
    before = logits(model)
    known = [set(vars(x)) for x in model.modules()]
    ours.optimize(model)
    assert not torch.equal(logits(model), before)  # by other kernels
    ours.restore(model)
    assert torch.equal(logits(model), before)
    assert [set(vars(x)) for x in model.modules()] == known
    ours.restore(model)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half(name, dtype):
    eager, model, _ = pair(name)
    expected = logits(eager)
    error, bound = ((logits(x.to(dtype)).float() - expected).norm()
                    for x in (model, eager))
    assert error <= 1.5 * bound


def gradients(model, dtype=torch.float32):
    model.to(dtype).train()
    model(input_ids=IDS, attention_mask=PADDING,
          labels=IDS.masked_fill((PADDING & PADDING.roll(1, 1)) == 0, -100)
          ).loss.backward()
    return {name: x.grad for name, x in model.named_parameters()
            if x.grad is not None}


@pytest.mark.parametrize("name", ALL)
def test_gradients(name):
    eager, model, _ = pair(name)
    expected, found = gradients(eager), gradients(model)
    assert found.keys() == expected.keys()
    for key, x in expected.items():
        assert (found[key] - x).norm() <= 1e-3 * x.norm() + 1e-7, key


def test_gradients_of_half():
    exact = gradients(models.make(ALL["mistral"], "eager"))
    _, model, _ = pair("mistral")
    for key, x in gradients(model, torch.bfloat16).items():
        assert (x - exact[key]).norm() <= 0.05 * exact[key].norm() + 1e-6, key


@pytest.mark.parametrize("cache", [None, "static"])
@pytest.mark.parametrize("name", models.MODELS.keys() & ALL)
def test_generation(name, cache):
    eager, model, _ = pair(name)
    options = dict(max_new_tokens=10, do_sample=False, cache_implementation=cache)
    for mask in None, PADDING:
        found, expected = (x.generate(IDS, attention_mask=mask, **options)
                           for x in (model, eager))
        assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("change", [
    dict(hidden_act="gelu"), dict(attention_bias=True, mlp_bias=True),
    dict(hidden_size=72, intermediate_size=50, head_dim=18),
    dict(rope_parameters=dict(rope_type="linear", factor=4.0,
                              rope_theta=10000.0))],
    ids=["gelu", "biases", "odd sizes", "scaled rotary"])
def test_configurations(change):
    eager, model, summary = pair("llama", **change)
    assert not summary.left
    for ids in IDS, IDS[:1, :3]:
        close(logits(model, ids), logits(eager, ids))


def test_partial_rotary():
    eager, model, _ = pair("phi3", rope_parameters=dict(
        rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5))
    close(logits(model), logits(eager))


def test_files_and_copies(tmp_path):
    eager, model, summary = pair("mistral")
    assert model.state_dict().keys() == eager.state_dict().keys()
    model.save_pretrained(tmp_path)
    loaded = type(model).from_pretrained(tmp_path, attn_implementation="lattn")
    close(logits(loaded), logits(eager))
    assert "forward" not in vars(loaded.model.layers[0].mlp)
    close(logits(pickle.loads(pickle.dumps(model))), logits(eager))
    twin = copy.deepcopy(model)
    twin.model.layers[0].mlp.down_proj.weight.data.zero_()
    close(logits(model), logits(eager))
    assert (logits(twin) - logits(eager)).abs().max() > 0.01
    assert ours.optimize(model) == summary


def test_what_is_left():
    """Hooks, other classes of layers, weights that are no plain tensors, other
    forwards and other activations stay."""
    class Adapter(nn.Linear):
        def forward(self, x):
            return super().forward(x) + x.mean()

    class Quantized(torch.Tensor):
        pass
    eager, model = (models.make(ALL["llama"], x) for x in ("eager", "lattn"))
    for each in eager, model:
        first, second = each.model.layers
        old = first.self_attn.q_proj
        first.self_attn.q_proj = Adapter(64, 64, bias=False)
        first.self_attn.q_proj.weight = old.weight
        first.mlp.up_proj.register_forward_hook(lambda m, x, y: 2 * y)
        second.mlp.act_fn = nn.ReLU()
        norm = second.input_layernorm
        norm.forward = lambda x, f=norm.forward: 2 * f(x)
    weight = second.self_attn.o_proj.weight
    second.self_attn.o_proj.weight = nn.Parameter(
        weight.detach().as_subclass(Quantized))
    summary = ours.optimize(model)
    assert summary.left == {
        "model.layers.0.self_attn.q_proj": "expected Linear, got Adapter",
        "model.layers.0.mlp.up_proj": "it has hooks",
        "model.layers.0.mlp": "its linear layers are not plain",
        "model.layers.1.self_attn.o_proj":
            "weight is a Quantized, no plain tensor",
        "model.layers.1.mlp": "its activation is ReLU; expected one of silu, "
                              "gelu, gelu_pytorch_tanh",
        "model.layers.1.input_layernorm": "its forward was replaced"}
    assert "left to PyTorch: model.layers.0.mlp.up_proj: it has hooks" in \
        str(summary)
    close(logits(model), logits(eager))


def test_later_changes():
    """Of modules that were plain: hooks and adapters are called."""
    eager, model, _ = pair("llama")
    for each in eager, model:
        first, second = each.model.layers
        first.mlp.gate_proj.register_forward_hook(lambda m, x, y: 3 * y)
        second.mlp.down_proj = nn.Sequential(second.mlp.down_proj, nn.Tanh())
        second.self_attn.v_proj.register_forward_hook(lambda m, x, y: -y)
        second.input_layernorm.weight = nn.Parameter(torch.full((64,), 0.5))
    close(logits(model), logits(eager))


@pytest.mark.parametrize("options", [{}, dict(dynamic=True)])
def test_compiled(options):
    eager, model, _ = pair("mistral")
    compiled = torch.compile(model, backend="aot_eager", **options)
    with torch.no_grad():
        close(compiled(input_ids=IDS, use_cache=False).logits, logits(eager))


def test_autocast_and_transforms():
    eager, model, _ = pair("mistral")
    with torch.autocast("cpu", torch.bfloat16):
        found, expected = (logits(x).float() for x in (model, eager))
    close(found, expected, 0.1)
    mlp = model.model.layers[0].mlp
    x = torch.randn(300, 64)
    _, found = torch.func.jvp(mlp, (x,), (x,))
    _, expected = torch.func.jvp(eager.model.layers[0].mlp, (x,), (x,))
    close(found, expected)


def test_refused():
    model = models.make(models.MODELS["llama4"], "lattn")
    with pytest.raises(NotImplementedError, match="expected layers of Llama, "
                       "Mistral, .*; got Llama4ForCausalLM, which has none"):
        ours.optimize(model)
    for call in ours.optimize, ours.restore:
        with pytest.raises(TypeError, match="expected a torch.nn.Module, got str"):
            call("mistral")
