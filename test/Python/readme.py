# RUN: cd %lattn_src && %python -B test/Python/readme.py

# The Python of README.md runs; that of torch where it is.

import importlib.util
import pathlib
import re

readme = pathlib.Path("README.md").read_text()
blocks = re.findall(r"```python\n(.*?)```", readme, re.S)
assert blocks
has_torch = importlib.util.find_spec("torch") is not None
for block in blocks:
    if has_torch or "import torch" not in block:
        exec(block, {})
