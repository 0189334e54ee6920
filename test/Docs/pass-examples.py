# RUN: %python %s %lattn_build/bin/lattn-opt %lattn_src

# The examples in the descriptions of passes: each ```mlir block goes through its
# pass alone, and what comes out matches the block after "becomes": its lines in
# that order, "..." for any text, and a %name for the same value throughout.

import pathlib
import re
import subprocess
import sys
import textwrap

tool, source = sys.argv[1], pathlib.Path(sys.argv[2])
files = ["Dialect/Lattn/Transforms/Passes.td",
         "Dialect/Lattn/Transforms/CompositePasses.td",
         "Dialect/Lattn/Transforms/DifferentiatePasses.td",
         "Dialect/Lattn/Transforms/QueryKeyPasses.td", "Transforms/Passes.td",
         "Conversion/Passes.td"]
documented = {"lattn-raise-memrefs", "lattn-convert-to-online", "lattn-tile",
              "lattn-split-kv", "lattn-promote-scratch",
              "lattn-outline-parallel", "lattn-expand-local-attention",
              "lattn-expand-local-mha", "lattn-expand-multihead-attention",
              "lattn-fuse-query-key", "lattn-rotary-to-table",
              "lattn-tile-matmul", "lattn-differentiate"}


def run(options, text):
    result = subprocess.run([tool, "-", *options], input=text, text=True,
                            capture_output=True)
    return result.stdout, result.stderr


def find_missing(block, output):
    """The first line of a block that the output lacks where it is due."""
    values, lines = {}, iter(output.split("\n"))

    def pattern(line):
        """A regular expression; names without a value yet are its groups."""
        def name(match):
            key = match[1]
            if re.fullmatch(r"c\d+", key):  # a constant
                return match[0] + r"\b"
            if key in values:
                return re.escape(values[key]) + r"\b"
            if f"(?P<v{key}>" in "".join(parts):
                return f"(?P=v{key})"
            parts.append(f"(?P<v{key}>%\\w+)")
            return parts[-1]

        parts = []
        text = re.escape(line).replace(r"\.\.\.", ".*")
        return re.sub(r"%(\w+)", name, text)

    for line in filter(None, map(str.strip, block.split("\n"))):
        regex = re.compile(pattern(line))
        match = next(filter(None, map(regex.search, lines)), None)
        if not match:
            return line
        values.update((k[1:], v) for k, v in match.groupdict().items())
    return None


errors, seen = [], set()
for file in files:
    text = (source / "include/lattn" / file).read_text()
    for definition in re.split(r"^def ", text, flags=re.M)[1:]:
        option = re.search(r'Pass<"([\w-]+)"', definition)[1]
        blocks = re.findall(r"^ *```(mlir)?\n(.*?)^ *```$", definition,
                            re.S | re.M)
        blocks = [(kind, textwrap.dedent(block)) for kind, block in blocks]
        for i, (kind, before) in enumerate(blocks):
            if kind != "mlir":
                continue
            seen.add(option)
            output, message = run([f"--{option}"], before)
            if not output:
                errors.append(f"{option}: {message}")
                continue
            output, message = run(["--canonicalize", "--cse"], output)
            if i + 1 == len(blocks) or blocks[i + 1][0] == "mlir":
                errors.append(f"{option}: an example without its result")
            elif missing := find_missing(blocks[i + 1][1], output):
                errors.append(f"{option}: no '{missing}' (in its place) in "
                              f"\n{output}{message}")

errors += [f"{option}: no example" for option in sorted(documented - seen)]
sys.exit("\n".join(errors) or 0)
