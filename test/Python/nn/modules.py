# REQUIRES: slow
# RUN: %cached_pytest %s

# What users of torch do with any module: names, hooks, wrappers.

import inspect
import os
import pathlib
import socket
import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch
from torch import nn as torch_nn

from lattn import nn
from lattn.nn import multihead_attention, zeta

ARGS = SimpleNamespace(multiway=False, xpos_rel_pos=True, xpos_scale_base=512,
                       layernorm_eps=1e-5)
TWO_RANKS = pathlib.Path(__file__).parents[1] / "Inputs" / "two_ranks.py"
MODULES = {
    "LocalAttention": lambda: nn.LocalAttention(8, dim=16, dropout=0.5),
    "LocalMHA": lambda: nn.LocalMHA(
        dim=32, window_size=8, dim_head=16, heads=2, prenorm=True, qk_rmsnorm=True,
        gate_values_per_head=True),
    "LocalTransformer": lambda: nn.LocalTransformer(
        num_tokens=16, max_seq_len=32, dim=32, depth=2, local_attn_window_size=8,
        dim_head=16, heads=2, use_dynamic_pos_bias=True),
    "one stream": lambda: nn.LocalTransformer(
        num_tokens=16, max_seq_len=32, dim=32, depth=1, local_attn_window_size=8,
        dim_head=16, heads=2, num_residual_streams=1),
    "MultiheadAttention": lambda: nn.MultiheadAttention(
        ARGS, 32, 2, self_attention=True, subln=True),
    "multiway": lambda: nn.MultiheadAttention(
        SimpleNamespace(**{**vars(ARGS), "multiway": True}), 32, 2,
        self_attention=True, subln=True),
    "zeta": lambda: zeta.MultiheadAttention(32, 2, self_attention=True),
}


def classes(root):
    for cls in root.__subclasses__():
        if cls.__module__.startswith("lattn."):
            yield cls
        yield from classes(cls)


OWN = sorted({c for c in classes(torch_nn.Module)}, key=lambda c: c.__qualname__)


@pytest.mark.parametrize("cls", OWN, ids=lambda cls: cls.__qualname__)
def test_classes_hide_no_name_of_torch(cls):
    """A method of torch's name has torch's meaning: only these are to be defined."""
    for name, value in vars(cls).items():
        if name.startswith("__") or not hasattr(torch_nn.Module, name):
            continue
        assert name == "forward", f"{cls.__qualname__}.{name} hides torch's"
        assert inspect.isfunction(value)


@pytest.mark.parametrize("name", MODULES)
def test_members_hide_no_name_of_torch(name):
    for path, module in MODULES[name]().named_modules():
        own = {*vars(module), *module._modules, *module._parameters, *module._buffers}
        assert not own & set(dir(torch_nn.Module)), path
        assert [*module.buffers(recurse=True)] == [
            x for _, x in module.named_buffers()]


def run(module):
    if isinstance(module, nn.LocalTransformer):
        return module(torch.arange(16)[None], return_loss=True)
    x = torch.randn(1, 16, 32)
    if isinstance(module, nn.LocalAttention):
        return module(*torch.randn(3, 1, 2, 16, 16))
    if isinstance(module, multihead_attention.MultiheadAttentionBase):
        module.apply(nn.set_split_position(8))
        out = module(x, x, x)
        return out[0] if isinstance(out, tuple) else out
    return module(x)


def find_called(module):
    """The submodules whose hooks are called."""
    called = set()
    hooks = [m.register_forward_hook(lambda *_, name=name: called.add(name))
             for name, m in module.named_modules()]
    run(module)
    for hook in hooks:
        hook.remove()
    return called


@pytest.mark.parametrize("name", MODULES)
def test_hooks_of_all_modules_are_called(name):
    module = MODULES[name]()
    called = find_called(module)
    missing = {path for path, m in module.named_modules()} - called
    # Lists of modules are no modules to call.
    assert all(isinstance(module.get_submodule(path), torch_nn.ModuleList)
               for path in missing)


@pytest.mark.parametrize("name", ["LocalAttention", "LocalMHA", "LocalTransformer",
                                  "one stream"])
def test_modules_are_those_of_the_package(name, monkeypatch):
    package = pytest.importorskip("local_attention")
    own = {path: type(m).__name__ for path, m in MODULES[name]().named_modules()}
    for cls in ("LocalAttention", "LocalMHA", "LocalTransformer"):
        monkeypatch.setattr(nn, cls, getattr(package, cls))
    other = {path: type(m).__name__ for path, m in MODULES[name]().named_modules()}
    # einops' layers, which only change axes.
    axes = "expand_streams", "reduce_streams", "split_fracs", "merge_fracs"
    assert own.keys() - {""} == {path for path in other if path
                                 and path.rpartition(".")[2] not in axes}


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("is_training", [False, True])
def test_hooks_change_no_numbers(name, is_training):
    torch.manual_seed(0)
    module = MODULES[name]().train(is_training)
    for m in module.modules():
        if isinstance(m, torch_nn.Dropout):
            m.p = 0.0

    def compute(hooked):
        hooks = [m.register_forward_hook(lambda *_: None)
                 for m in module.modules()] if hooked else []
        module.zero_grad()
        torch.manual_seed(1)
        out = run(module)
        if is_training and out.requires_grad:
            out.square().mean().backward()
        for hook in hooks:
            hook.remove()
        return [out, *(p.grad for p in module.parameters() if p.grad is not None)]
    found, expected = compute(True), compute(False)
    assert len(found) == len(expected)
    for x, y in zip(found, expected):
        torch.testing.assert_close(x, y, rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize("name", ["LocalAttention", "MultiheadAttention"])
def test_hooks_see_and_replace_weights(name):
    module = MODULES[name]().eval()
    drop = module.dropout if name == "LocalAttention" else module.dropout_module
    seen = []
    hook = drop.register_forward_hook(lambda m, given, out: seen.append(out))
    run(module)
    assert torch.allclose(seen[0].sum(-1), torch.ones(()), atol=1e-5)
    hook.remove()
    drop.register_forward_hook(lambda m, given, out: torch.zeros_like(out))
    if name == "LocalAttention":
        assert not run(module).any()


def test_dropout_between_streams():
    """p is 0 in the package; users set it for all layers of a model."""
    module = MODULES["LocalTransformer"]().train()
    before = run(module)
    assert torch.equal(run(module), before)
    for path, m in module.named_modules():
        if path.endswith("branch.dropout") or path.count(".") == 3 and isinstance(
                m, torch_nn.Dropout):
            m.p = 0.5
    assert not torch.equal(run(module), run(module))
    assert torch.equal(run(module.eval()), run(module))


class LoRA(torch_nn.Module):
    """A linear layer with an update of low rank, as adapters wrap it."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner.requires_grad_(False)
        self.down = torch_nn.Linear(inner.in_features, 4, bias=False)
        self.up = torch_nn.Linear(4, inner.out_features, bias=False)

    def forward(self, x):
        return self.inner(x) + self.up(self.down(x))


def test_adapters():
    torch.manual_seed(0)
    module = MODULES["LocalTransformer"]()
    for m in list(module.modules()):
        for name, child in list(m.named_children()):
            if isinstance(m, nn.LocalMHA) and isinstance(child, torch_nn.Linear):
                setattr(m, name, LoRA(child))
    run(module).backward()
    adapters = [m for m in module.modules() if isinstance(m, LoRA)]
    assert len(adapters) == 4
    for m in adapters:
        assert m.inner.weight.grad is None and m.down.weight.grad.any()
    merged = MODULES["LocalTransformer"]()
    weights = {}
    for path, p in module.state_dict().items():
        if path.endswith(".inner.weight"):
            root = path.removesuffix("inner.weight")
            weights[root[:-1] + ".weight"] = (
                p + module.state_dict()[root + "up.weight"]
                @ module.state_dict()[root + "down.weight"])
        elif not path.endswith((".up.weight", ".down.weight")):
            weights[path] = p
    merged.load_state_dict(weights)
    assert torch.allclose(run(merged), run(module), atol=1e-5)


@pytest.fixture(scope="module")
def group():
    """A group of one process."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    torch.distributed.init_process_group("gloo", rank=0, world_size=1)
    yield
    torch.distributed.destroy_process_group()


def fully_shard(module):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    mesh = init_device_mesh("cpu", (1,))
    for m in module.modules():
        if isinstance(m, (nn.LocalMHA, nn.LocalAttention)) and m is not module:
            fully_shard(m, mesh=mesh)
    return fully_shard(module, mesh=mesh)


@pytest.mark.parametrize("wrap", [torch_nn.parallel.DistributedDataParallel,
                                  fully_shard], ids=["DDP", "FSDP2"])
@pytest.mark.parametrize("name", ["LocalMHA", "one stream"])
def test_wrappers(group, name, wrap):
    def compute(wrap):
        torch.manual_seed(0)
        module = wrap(MODULES[name]())
        torch.manual_seed(1)
        if name == "LocalMHA":
            out = module(torch.randn(1, 16, 32)).square().mean()
        else:
            out = module(torch.arange(16)[None], return_loss=True)
        out.backward()
        grads = {path.removeprefix("module."): p.grad
                 for path, p in module.named_parameters() if p.grad is not None}
        return out, {path: getattr(g, "full_tensor", lambda g=g: g)()
                     for path, g in grads.items()}
    (out, grads), (expected, others) = compute(wrap), compute(lambda m: m)
    torch.testing.assert_close(out, expected)
    assert grads.keys() == others.keys()
    for path, grad in grads.items():
        torch.testing.assert_close(grad, others[path], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("wrapper", ["DDP", "FSDP2"])
def test_two_processes(wrapper):
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    ranks = [subprocess.Popen(
        [sys.executable, TWO_RANKS, wrapper, str(rank), str(port)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for rank in range(2)]
    for number, rank in enumerate(ranks):
        text, _ = rank.communicate(timeout=300)
        assert rank.returncode == 0, text
        assert f"gradients of rank {number} agree" in text
