# REQUIRES: slow
# RUN: %python -B %s 2>&1 | FileCheck %s --allow-empty

# torch.jit.trace of modules: nothing is said about sizes that become constants,
# because none does. A trace of one length computes what the module does for others.

# CHECK-NOT: TracerWarning

import torch
from lattn.nn import LocalAttention, LocalMHA, LocalTransformer


def check(module, make):
    traced = torch.jit.trace(module.eval(), make(64), check_trace=False)
    for length in (64, 96, 40, 8, 1, 160):
        example = make(length)
        torch.testing.assert_close(traced(*example), module(*example))


torch.manual_seed(0)
with torch.no_grad():
    check(LocalAttention(window_size=32, causal=True, autopad=True, dim=16),
          lambda n: tuple(torch.randn(3, 1, 4, n, 16)))
    check(LocalMHA(dim=64, window_size=32, dim_head=16, heads=4, causal=True),
          lambda n: (torch.randn(1, n, 64),))
    check(LocalTransformer(num_tokens=256, max_seq_len=256, dim=64, depth=2, heads=4,
                           dim_head=16, local_attn_window_size=32),
          lambda n: (torch.randint(256, (1, n)),))
