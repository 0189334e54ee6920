# RUN: %python -B %s
# REQUIRES: torch, slow

# A process that torch compiled something in ends without a word.

import subprocess
import sys

CODE = """
import lattn, torch
module = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
f = lattn.compile(module)
held = torch.compile(lambda q: lattn.attention(q, q, q), fullgraph=True,
                     backend="eager")
held(torch.zeros(1, 1, 4, 8))
"""
done = subprocess.run([sys.executable, "-c", CODE], capture_output=True,
                      text=True, timeout=300)
assert done.returncode == 0, done.stderr
assert "leak" not in done.stderr, done.stderr
