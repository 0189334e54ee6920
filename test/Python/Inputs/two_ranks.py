"""One of two processes that train a module together, each on half of the batch. Its
gradients must be those of one process with the whole batch. Arguments: the wrapper
(DDP or FSDP2), the rank and the port."""

import os
import sys

import torch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

from lattn import nn


def make():
    torch.manual_seed(0)
    return nn.LocalMHA(dim=32, window_size=8, dim_head=8, heads=2, causal=True)


def shard(module):
    mesh = init_device_mesh("cpu", (2,))
    fully_shard(module.attn_fn, mesh=mesh)
    return fully_shard(module, mesh=mesh)


def get_gradients(module, x):
    module(x).square().mean().backward()
    return {name.removeprefix("module."): getattr(p.grad, "full_tensor", lambda p=p: p.grad)()
            for name, p in module.named_parameters()}


wrapper, rank, port = sys.argv[1], int(sys.argv[2]), sys.argv[3]
os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
torch.distributed.init_process_group("gloo", rank=rank, world_size=2)
wrap = torch.nn.parallel.DistributedDataParallel if wrapper == "DDP" else shard
x = torch.randn(4, 24, 32, generator=torch.Generator().manual_seed(1))
found = get_gradients(wrap(make()), x.chunk(2)[rank])
expected = get_gradients(make(), x)
assert found.keys() == expected.keys()
for name, gradient in found.items():
    torch.testing.assert_close(gradient, expected[name], rtol=1e-4, atol=1e-6)
torch.distributed.destroy_process_group()
print(f"{len(found)} gradients of rank {rank} agree")
