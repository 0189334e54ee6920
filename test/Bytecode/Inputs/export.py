"""Writes every_op-VERSION.mlir, a program with every op of the dialect lattn, and
its bytecode as every_op-VERSION.mlirbc:

    python export.py build/bin/lattn-opt VERSION

Stored bytecode is what a lattn of its day wrote, so it is never written again: a new
version of the dialect adds one. A program changes only where the text's syntax or an
op does; its bytecode then says the same in its form."""

import os
import re
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
DIALECT = os.path.join(FOLDER, "..", "..", "Dialect", "Lattn")


def rename(text: str, prefix: str) -> str:
    """The text with names of its own for functions and aliases."""
    text = re.sub(r"^\s*//.*\n", "", text, flags=re.M)
    for sigil, name in re.findall(r"^([!#])([\w$-]+) =", text, flags=re.M):
        text = re.sub(rf"{sigil}{name}\b", f"{sigil}{prefix}{name}", text)
    return re.sub(r"@(\w)", rf"@{prefix}\1", text)


def main() -> None:
    opt, version = sys.argv[1:]
    stored = os.path.join(FOLDER, f"every_op-{version}.mlirbc")
    if os.path.exists(stored):
        sys.exit(f"{stored} is stored already")
    program = ""
    for i, name in enumerate(sorted(os.listdir(DIALECT))):
        if name.startswith("roundtrip"):
            with open(os.path.join(DIALECT, name)) as file:
                program += rename(file.read(), f"p{i}_")
    run = [opt, "--allow-unregistered-dialect", "--strip-debuginfo"]
    text = subprocess.run(run, input=program, text=True, check=True,
                          capture_output=True).stdout
    with open(stored.removesuffix("bc"), "w") as file:
        file.write(text)
    subprocess.run(run + ["--emit-bytecode", "-o", stored], input=text, text=True,
                   check=True)


if __name__ == "__main__":
    main()
