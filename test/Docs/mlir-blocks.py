# REQUIRES: python
# RUN: %python %s %lattn_build/bin/lattn-opt %lattn_src

# Every ```mlir block of the documents, and of the ops' descriptions, is valid.
# Where a block uses values that it does not define, they become arguments of a
# function around it, with the types that it gives them.

import pathlib
import re
import subprocess
import sys
import textwrap

tool, source = sys.argv[1], pathlib.Path(sys.argv[2])
# What stands in no function: lattn.yield needs its region.
FRAGMENTS = ("lattn.yield",)


def blocks(path):
    text = path.read_text()
    for match in re.finditer(r"^ *```mlir\n(.*?)^ *```$", text, re.S | re.M):
        line = text[:match.start()].count("\n") + 2
        yield f"{path.relative_to(source)}:{line}", textwrap.dedent(match[1])


def split_types(text):
    """The types before the bracket that closes a list."""
    types, depth, begin = [], 0, 0
    for i, c in enumerate(text + ")"):
        if c in "<(" or c in ">)" and text[i - 1:i] != "-":
            depth += 1 if c in "<(" else -1
        if depth < 0 or depth == 0 and c == ",":
            types.append(text[begin:i].strip())
            begin = i + 1
        if depth < 0:
            return types


def wrap(block):
    """The block in a function, unless it is a module already."""
    if block.startswith("#lattn."):
        return re.sub("^#lattn", lambda m: f"#at{m.start()} = #lattn", block,
                      flags=re.M)
    if "func.func" in block or block.startswith("#"):
        return block
    # "%r:3 = ..." and "%0, %1 = ..." at the left, and arguments of blocks.
    defined = set()
    for results in re.findall(r"^\s*(%[\w:, %]*) = ", block, re.M):
        defined |= set(re.findall(r"%\w+", results))
    for arguments in re.findall(r"^\s*\^\w+\((.*?)\):", block, re.S | re.M):
        defined |= set(re.findall(r"%\w+", arguments))
    arguments = {}
    for match in re.finditer(r"((?:%\w+,\s*)*%\w+) : ", block):
        names = re.findall(r"%\w+", match[1])
        for name, type in zip(names, split_types(block[match.end():])):
            if name not in defined:
                arguments.setdefault(name, type)
    text = ", ".join(f"{name}: {type}" for name, type in arguments.items())
    return f"func.func @block({text}) {{\n{block}\nreturn\n}}\n"


documents = [source / "README.md", *sorted(source.glob("docs/**/*.md")),
             *sorted(source.glob("include/lattn/Dialect/Lattn/IR/*.td"))]
checked = 0
errors = []
for document in documents:
    for place, block in blocks(document):
        if block.startswith(FRAGMENTS):
            continue
        result = subprocess.run([tool, "-"], input=wrap(block), text=True,
                                capture_output=True)
        checked += 1
        if result.returncode:
            errors.append(f"{place}: {result.stderr}")
assert checked >= 8, checked
sys.exit("\n".join(errors) or 0)
