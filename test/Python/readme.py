# REQUIRES: slow
# RUN: cd %lattn_src && %python -B test/Python/readme.py

# The Python of README.md and of the pages runs, a page's blocks one after another:
# that of torch where it is, that of GPUs where there is one. The page about torch
# has a test of its own, nn/tutorial.py.

import importlib.util
import pathlib
import re

from lattn import _lattn

has_torch = importlib.util.find_spec("torch") is not None
has_torch_mlir = importlib.util.find_spec("torch_mlir") is not None
has_transformers = importlib.util.find_spec("transformers") is not None
has_jax = hasattr(_lattn, "xla_handlers") and importlib.util.find_spec("jax")
has_gpu = False
if has_torch:
    import torch
    has_gpu = torch.cuda.is_available()


def is_for_here(block):
    return ((has_torch or "import torch" not in block)
            and (has_torch_mlir or page != "docs/guides/raising.md")
            and (has_transformers or page != "docs/guides/transformers.md")
            and (has_jax or page != "docs/guides/jax.md")
            and (has_gpu or 'device="cuda"' not in block))


for page, fewest in (("README.md", 2), ("docs/tutorial/python.md", 6),
                     ("docs/GPU.md", 1), ("docs/guides/raising.md", 2),
                     ("docs/guides/transformers.md", 3), ("docs/guides/jax.md", 4)):
    blocks = re.findall(r"```python\n(.*?)```", pathlib.Path(page).read_text(), re.S)
    assert len(blocks) >= fewest, page
    names = {}
    for block in blocks:
        code = compile(block, page, "exec")
        if is_for_here(block):
            exec(code, names)
