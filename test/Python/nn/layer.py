# REQUIRES: slow
# RUN: %cached_pytest %s

# A layer of LocalTransformer as one kernel, for one position: it computes what
# its modules do, and only where they are what they were.

import copy
import gc
import io
import weakref

import pytest
import torch

from lattn import _lattn, get_num_threads, nn, set_num_threads
from lattn.nn import _layer

SMALL = dict(num_tokens=23, max_seq_len=200, dim=48, depth=2, heads=3,
             dim_head=32, local_attn_window_size=8)


@pytest.fixture(autouse=True)
def no_grad():
    with torch.no_grad():
        yield


def make(**options):
    torch.manual_seed(0)
    module = nn.LocalTransformer(**SMALL | options).eval()
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    return module


@pytest.fixture
def taken(monkeypatch):
    """Whether each layer was a kernel."""
    found, step = [], _layer.step

    def watch(x, layers, *rest):
        outs = step(x, layers, *rest)
        if outs is not None or len(layers) == 1:  # else each goes alone
            found.extend([outs is not None] * len(layers))
        return outs
    monkeypatch.setattr(_layer, "step", watch)
    return found


def decode(module, tokens, prefill=5, before=lambda i: None,
           between=lambda cache: cache):
    """Logits of the tokens after `prefill`, one by one."""
    _, cache = module(tokens[:, :prefill], return_cache=True)
    outs = []
    for i in range(prefill, tokens.shape[1]):
        before(i)
        out, cache = module(tokens[:, :i + 1], cache=between(cache),
                            return_cache=True)
        outs.append(out)
    return torch.cat(outs, dim=1)


def check(got, module, tokens, prefill=5):
    # In float64 modules run.
    expected = decode(copy.deepcopy(module).double(), tokens, prefill)
    torch.testing.assert_close(got.double(), expected, rtol=1e-4,
                               atol=2e-5 * float(expected.abs().max()))


@pytest.mark.parametrize("options, batches", [
    ({}, 1), ({}, 3), ({}, 8), ({"num_residual_streams": 1}, 8),
    ({"num_residual_streams": 6}, 1), ({"dim_head": 160, "heads": 1}, 3),
    ({"ff_mult": 1.6}, 1), ({"use_xpos": True}, 3),
    ({"exact_windowsize": False, "look_backward": 2}, 1)], ids=str)
def test_equals_modules(taken, options, batches):
    module, tokens = make(**options), torch.randint(23, (batches, 45))
    check(decode(module, tokens), module, tokens)
    assert taken == [True] * 2 * 40 + [False] * 2 * 40


# On average: streams that almost cancel are rounded to the type, and norms
# enlarge that. Modules of the type are off by more.
@pytest.mark.parametrize("kind, tolerance", [(torch.bfloat16, 2**-8),
                                             (torch.float16, 2**-11)], ids=str)
@pytest.mark.parametrize("options", [
    {}, {"num_residual_streams": 1}, {"use_xpos": True}], ids=str)
def test_halves_equal_modules(taken, options, kind, tolerance):
    module, tokens = make(**options).to(kind), torch.randint(23, (3, 45))
    got = decode(module, tokens)
    assert got.dtype == kind and taken == [True] * 2 * 40
    expected = decode(module.double(), tokens)
    error = (got.double() - expected).abs().mean()
    assert error <= tolerance * expected.abs().max()


@pytest.mark.parametrize("options", [
    {"dim": 40}, {"dim_head": 24}, {"use_dynamic_pos_bias": True},
    {"qk_rmsnorm": True}, {"shared_qk": True}, {"gate_values_per_head": True},
    {"num_residual_streams": 7}, {"use_xpos": True, "xpos_scale_base": 0.1}],
    ids=str)
def test_others_are_modules(taken, options):
    module, tokens = make(**options), torch.randint(23, (2, 12))
    check(decode(module, tokens), module, tokens)
    assert not any(taken)


def test_input_stays():
    module = make(num_tokens=None, num_residual_streams=1)
    x = torch.randn(1, 9, 48)
    cache = [layer[0].branch(x[:, :8], return_cache=True)[1]
             for layer in module.layers]
    before = x.clone()
    module(x[:, 8:], cache=(cache, None))
    assert torch.equal(x, before)


def test_what_is_changed_is_seen(taken):
    module, tokens = make(), torch.randint(23, (1, 12))
    layer = module.layers[1]

    def replace(name, value):
        def change(part):
            setattr(part, name, value(getattr(part, name)))
        return change
    mha, feed = layer[0].branch, layer[1].branch
    changes = [
        lambda: mha.to_qkv.weight.mul_(2),
        lambda: replace("weight", lambda w: torch.nn.Parameter(w * 2))(feed[1]),
        lambda: replace("data", lambda w: w * 2)(feed[4].weight),
        lambda: replace("data", lambda w: w.t().contiguous().t())(
            mha.to_out.weight),
        lambda: replace("gamma", lambda w: torch.nn.Parameter(w + 1))(
            layer[0].norm),
        lambda: replace("eps", lambda eps: eps + 1.0)(mha.norm)]
    _, cache = module(tokens[:, :5], return_cache=True)
    for i, change in enumerate(changes):
        _, cache = module(tokens[:, :6 + i], cache=cache, return_cache=True)
        change()
        same = copy.deepcopy(cache)
        end = tokens[:, :7 + i]
        got = module(end, cache=cache)
        # A new layer of the same weights.
        fresh = make()
        fresh.load_state_dict(module.state_dict())
        fresh.layers[1][0].branch.norm.eps = mha.norm.eps
        torch.testing.assert_close(got, fresh(end, cache=same))


@pytest.mark.parametrize("change", [
    lambda m: m[0].branch.to_out.register_forward_hook(lambda m, i, o: o + 1),
    lambda m: m[0].register_forward_pre_hook(lambda m, i: (i[0] + 1,)),
    lambda m: setattr(m[1].branch, "forward", lambda x: x + 1),
    lambda m: setattr(m[0].branch, "to_out", torch.nn.Linear(96, 48)),
    lambda m: torch.nn.utils.parametrizations.weight_norm(
        m[0].branch.to_qkv),
    lambda m: setattr(m[1], "branch", torch.nn.Identity())])
def test_changed_modules_run(taken, change):
    module, tokens = make(), torch.randint(23, (1, 8))

    def at(i):
        if i == 6:
            change(module.layers[1])
    got = decode(module, tokens, before=at)
    assert taken == [True, True] + 2 * [True, False]
    assert torch.isfinite(got).all()


# What stands before and behind the layers: they go on one by one.
@pytest.mark.parametrize("change", [
    lambda m: m.to_logits.register_forward_hook(lambda m, i, o: o * 2),
    lambda m: m.to_logits[1].register_forward_hook(lambda m, i, o: o * 2),
    lambda m: setattr(m.pos_emb, "max_norm", 0.5),
    lambda m: setattr(m, "pos_emb", torch.nn.Embedding(300, 48, max_norm=1.0)),
    lambda m: m.to_logits.append(torch.nn.Tanh()),
    lambda m: m.pos_emb.register_forward_hook(lambda m, i, o: o * 2)])
def test_changed_ends_run(taken, change):
    module, tokens = make(), torch.randint(23, (3, 8))
    change(module)
    got = decode(module, tokens)
    assert taken == [True, True] * 3
    taken.clear()
    check(got, module, tokens)


def test_changed_weights_of_ends_are_seen(taken):
    module, tokens = make(), torch.randint(23, (2, 12))

    def at(i):
        if i == 7:
            module.pos_emb.weight.mul_(2)
        if i == 8:
            module.to_logits[1].weight = torch.nn.Parameter(
                module.to_logits[1].weight * 3)
        if i == 9:
            module.to_logits[0].eps += 1.0
        if i == 10:
            module.token_emb.weight.data = module.token_emb.weight.data * 2
    got = decode(module, tokens, before=at)
    assert all(taken)
    module = make()
    same = copy.deepcopy(module).double()
    module = same
    expected = decode(same, tokens, before=at)
    torch.testing.assert_close(got.double(), expected, rtol=1e-4,
                               atol=2e-5 * float(expected.abs().max()))


def test_layers_that_share_a_cache(taken):
    module, tokens = make(), torch.randint(23, (1, 7))
    _, (caches, bias) = module(tokens[:, :5], return_cache=True)
    _, (caches, bias) = module(tokens[:, :6], cache=(caches, bias),
                               return_cache=True)
    shared = [caches[0], caches[0]]
    copies = [caches[0].clone() for _ in range(2)]
    got = module(tokens, cache=(shared, bias))
    torch.testing.assert_close(got, module(tokens, cache=(copies, bias)),
                               rtol=1e-4, atol=1e-5)


def test_too_few_caches():
    module, tokens = make(), torch.randint(23, (1, 6))
    _, (caches, bias) = module(tokens[:, :5], return_cache=True)
    for change in (lambda: None, lambda: module.to_logits.append(
            torch.nn.Tanh())):
        change()
        with pytest.raises(IndexError):
            module(tokens, cache=(caches[:1], bias))


def test_positions_end_with_their_table():
    module, tokens = make(max_seq_len=9), torch.randint(23, (1, 10))
    _, cache = module(tokens[:, :8], return_cache=True)
    _, cache = module(tokens[:, :9], cache=cache, return_cache=True)
    with pytest.raises(AssertionError):
        module(tokens, cache=cache)
    module.max_seq_len = 20
    with pytest.raises(IndexError):
        module(tokens, cache=cache)


def test_dropout_runs_as_modules(taken):
    module, tokens = make(ff_dropout=0.5).train(), torch.randint(23, (1, 8))
    decode(module, tokens)
    assert not any(taken)


def test_tied_weights():
    module, tokens = make(), torch.randint(23, (1, 20))
    for layer in module.layers:
        layer[1].branch[0] = layer[0].branch.norm
        layer[1].norm = layer[0].norm
    module.layers[1] = module.layers[0]
    check(decode(module, tokens), module, tokens)


def test_copied_caches(taken):
    def save(cache):
        file = io.BytesIO()
        torch.save(list(cache[0]), file)
        file.seek(0)
        return torch.load(file, weights_only=False), None
    module, tokens = make(), torch.randint(23, (1, 20))
    expected = decode(module, tokens)
    for between in (save, copy.deepcopy, lambda c: ([x.clone() for x in c[0]],
                                                    c[1])):
        got = decode(module, tokens, between=between)
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)
    assert all(taken)


def test_caches_of_another_module():
    first, second, tokens = make(), make(), torch.randint(23, (1, 9))
    second.layers[0][0].branch.to_out.weight.mul_(3)
    _, cache = first(tokens[:, :6], return_cache=True)
    _, cache = first(tokens[:, :7], cache=cache, return_cache=True)
    same = copy.deepcopy(cache)
    got = second(tokens[:, :8], cache=cache)
    torch.testing.assert_close(got, second(tokens[:, :8], cache=same))
    assert not torch.allclose(got, first(tokens[:, :8], cache=same))


def test_threads_change_no_bit():
    module, tokens = make(dim=272), torch.randint(23, (2, 30))
    before, results = get_num_threads(), []
    try:
        for threads in (1, 2, 5):
            set_num_threads(threads)
            results.append(decode(module, tokens))
    finally:
        set_num_threads(before)
    assert all(torch.equal(results[0], other) for other in results[1:])


def test_who_watches_sees_operations():
    from torch.utils.flop_counter import FlopCounterMode
    module, tokens = make(), torch.randint(23, (1, 6))
    _, cache = module(tokens[:, :5], return_cache=True)
    with FlopCounterMode(display=False) as counter:
        module(tokens, cache=cache)
    assert counter.flop_counts


@pytest.mark.parametrize("wrong", [
    lambda c: c[:, :, :1], lambda c: c.double(), lambda c: c[..., :16],
    lambda c: c[:1]])
def test_wrong_caches(wrong):
    module, tokens = make(), torch.randint(23, (1, 6))
    _, (cache, bias) = module(tokens[:, :5], return_cache=True)
    with pytest.raises(RuntimeError, match="cache: expected"):
        module(tokens, cache=([wrong(c) for c in cache], bias))


def test_snapshots_hold_until_something_changes():
    class Thing:
        pass
    thing, values = Thing(), {"a": 1.5, "b": [1]}
    snapshot = _lattn.Snapshot([thing], [values, vars(thing)])
    assert snapshot.holds()
    values["b"].append(2)  # the same list
    assert snapshot.holds()
    for change in (lambda: values.update(b=[1, 2]),  # equal, but another
                   lambda: values.update(c=1), lambda: values.pop("a"),
                   lambda: setattr(thing, "x", 1),
                   lambda: setattr(thing, "__class__", type("Other", (), {}))):
        snapshot = _lattn.Snapshot([thing], [values, vars(thing)])
        change()
        assert not snapshot.holds()
    with pytest.raises(TypeError, match="dictionaries"):
        _lattn.Snapshot([], [[1]])


def test_snapshots_are_collected():
    class Thing:
        pass
    thing = Thing()
    thing.snapshot = _lattn.Snapshot([thing], [vars(thing)])
    thing.other = _lattn.Snapshot([thing], [vars(thing)])
    gone = weakref.ref(thing)
    del thing
    gc.collect()
    assert gone() is None
