# RUN: %python %s %lattn_src

# The program in README.md is the example that it names.

import pathlib
import sys

source = pathlib.Path(sys.argv[1])
example = (source / "examples/windowed_attention.mlir").read_text()
code = example[example.index("!array ="):]
assert f"```mlir\n{code}```\n" in (source / "README.md").read_text()
