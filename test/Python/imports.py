# REQUIRES: slow, torch
# RUN: %cached_pytest %s

# What does not compile by torch.compile does not import it: that takes a second.

import subprocess
import sys

import pytest

CALLS = {
    "attention": "lattn.attention(x, x, x, window=(8, 0), score_mod=lambda s, b, h, i, j: s)",
    "sdpa": "lattn.scaled_dot_product_attention(x, x, x, is_causal=True)",
    "local_attention": "lattn.nn.LocalAttention(4, dim=8, causal=True)(x, x, x)",
    "module": "lattn.nn.LocalMHA(dim=8, window_size=4, dim_head=8, heads=2)(x[:, 0])",
    "model": "lattn.nn.LocalTransformer(num_tokens=8, max_seq_len=16, dim=16, depth=1, "
             "local_attn_window_size=8)(torch.arange(9)[None] % 8, return_loss=True)",
}


@pytest.mark.parametrize("name", CALLS)
def test_no_compiler(name):
    program = ("import sys, torch, lattn, lattn.nn\n"
               "x = torch.randn(1, 2, 16, 8, requires_grad=True)\n"
               f"{CALLS[name]}.sum().backward()\n"
               "print(*sys.modules)")
    run = subprocess.run([sys.executable, "-c", program], text=True,
                         capture_output=True)
    assert run.returncode == 0, run.stderr
    assert {"torch._dynamo", "sympy"}.isdisjoint(run.stdout.split())
