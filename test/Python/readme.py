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


NEEDS = {"docs/guides/raising.md": has_torch_mlir,
         "docs/guides/transformers.md": has_transformers,
         "docs/guides/jax.md": has_jax}


def is_for_here(page, block):
    """A block that begins with a path is a file, which Docs/shell-commands.py runs."""
    return (not re.match(r"# \S+/\S+\.py\n", block)
            and (has_torch or not re.search(r"\btorch\b", block))
            and NEEDS.get(page, True)
            and (has_gpu or 'device="cuda' not in block))


# The fewest blocks that a page may have.
FEWEST = {"README.md": 1, "docs/tutorial/python.md": 6, "docs/guides/attention.md": 8,
          "docs/guides/gpu.md": 1, "docs/guides/raising.md": 2,
          "docs/guides/transformers.md": 3, "docs/guides/jax.md": 7}
seen = set()
for path in [pathlib.Path("README.md"), *sorted(pathlib.Path("docs").glob("**/*.md"))]:
    page = str(path)
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(), re.S | re.M)
    assert len(blocks) >= FEWEST.get(page, 0), page
    seen.add(page)
    names = {}
    for block in blocks if page != "docs/tutorial/torch-modules.md" else ():
        code = compile(block, page, "exec")
        if is_for_here(page, block):
            exec(code, names)
assert seen >= FEWEST.keys(), seen
