# REQUIRES: slow
# RUN: %python -B %s %lattn_src/docs/tutorial/torch-modules.md

# The tutorial's blocks run, one after another.

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
blocks = re.findall(r"```python\n(.*?)```", text, re.S)
assert blocks
names = {}
for block in blocks:
    exec(compile(block, sys.argv[1], "exec"), names)
