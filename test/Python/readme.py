# RUN: cd %lattn_src && %python -B test/Python/readme.py

# The Python of README.md runs.

import pathlib
import re

readme = pathlib.Path("README.md").read_text()
blocks = re.findall(r"```python\n(.*?)```", readme, re.S)
assert blocks
for block in blocks:
    exec(block, {})
