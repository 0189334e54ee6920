# REQUIRES: python, host-x86, slow
# UNSUPPORTED: sanitizer
# RUN: env LATTN_LIBCUDA=%fake_cuda FAKECUDA_CAPABILITY=9.0 %python -B %s %lattn_src %lattn_build %t %llvm_bin %cc

# The commands of README.md, of the pages under docs, and at the head of each example:
# every ```sh block runs, a page's blocks one after another in one folder, which has
# the repository's folders in it. A ```c block is main.c from there on. A block of another language
# whose first line is a comment with a path, such as "# app/CMakeLists.txt", is that
# file. Commands for GPUs meet a stand-in for the driver. What a test cannot run is
# named below, with the reason.

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

# Names of pages after these arguments: those pages alone.
source, build, work, llvm, cc, *only = map(pathlib.Path, sys.argv[1:])
NOT_RUN = {
    "scripts/run": "installs packages and builds",
    "scripts/test": "installs packages and runs this test",
    "scripts/setup": "installs packages",
    "scripts/build": "builds this folder again",
    "ninja": "builds this folder again",
    ".venv/bin/pip": "installs packages",
    "python": "is for a machine with a GPU",
    "/usr/lib/llvm-22/bin/lit": "runs this test",
}
# What the head of an example begins with.
RUN = "To run it from the repository's root:"
# Where these modules are not installed.
NEEDS = {"examples/train_bytes.py": "safetensors", "examples/alibi_slopes.py": "torch",
         "examples/byte_transformer.py": "torch",
         " --package ": "local_attention",
         "benchmarks/transformers_models.py": "transformers",
         "benchmarks/jax_attention.py": "jax"}
# These take minutes to hours: only the options are tried, or a tiny model.
LONG = {".venv/bin/python benchmarks/run.py": "--list",
        ".venv/bin/python benchmarks/gpu/bundle": "--help",
        ".venv/bin/python benchmarks/modules.py": "--help",
        ".venv/bin/python benchmarks/training_step.py": "--help",
        ".venv/bin/python benchmarks/transformers_models.py": "--help",
        ".venv/bin/python benchmarks/jax_attention.py": "--help",
        ".venv/bin/python test/GPU/stored/Inputs/store.py": "--cases 1 --large 1",
        ".venv/bin/python -m lattn.bench": "--with numpy --seconds 2",
        ".venv/bin/python examples/train_bytes.py": "--quick --threads 1",
        ".venv/bin/python examples/alibi_slopes.py": "--steps 1",
        ".venv/bin/python examples/byte_transformer.py": "--steps 2 --tokens 4"}


def make_folder(folder):
    """A working tree that commands may write to."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    for entry in source.iterdir():
        if entry.name not in ("build", "bin"):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").symlink_to(build)
    (folder / "bin/cc").symlink_to(cc)
    (folder / "bin/mlir-opt-22").symlink_to(llvm / "mlir-opt")
    if not (folder / ".venv").exists():
        (folder / ".venv").symlink_to(pathlib.Path(sys.executable).parents[1])


def commands(block):
    """Logical lines; strings may go over several."""
    lines = []
    for line in block.replace("\\\n", "").splitlines():
        if lines and lines[-1].count('"') % 2:
            lines[-1] += "\n" + line
        elif line.split("#")[0].strip():
            lines.append(line)
    return lines


def to_run(command):
    """The command, what stands in for it, or none."""
    word = command.split()[0]
    for part, module in NEEDS.items():
        if part in command and importlib.util.find_spec(module) is None:
            return None
    for long, option in LONG.items():
        if command.startswith(long):
            command = command.partition("  #")[0]
            return re.sub(r" --(memory|(json|table|plots|steps) \S+)", "", command
                          ) + f" {option}"
    if word in NOT_RUN:
        path = pathlib.Path(word)
        if path.parts[0] == "scripts":
            assert os.access(source / path, os.X_OK), f"{word}: no such script"
        return None
    return command


def write_file(kind, block, folder):
    """What the page shows as a file."""
    named = re.match(r"(?:#|//|/\*) ([\w./-]+/[\w.-]+)(?: \*/)?\n", block)
    if not named and kind != "c":
        return
    path = folder / (named[1] if named else "main.c")
    # The repository's own files are links.
    assert not path.is_symlink() and not path.parent.is_symlink(), path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block)


def blocks(page):
    """(language, text) of a page's blocks, or of the commands of an example."""
    text = page.read_text()
    if page.suffix == ".md":
        return re.findall(r"^ *```(\w+)\n(.*?)^ *```$", text, re.S | re.M)
    head = re.match(r'(?:"""|#|//) ?' + RUN + r"\n(?:#|//)?\n((?:(?:#|//)?  .*\n)+)", text)
    assert head, f"{page.relative_to(source)}: expected '{RUN}' and commands first"
    lines = [re.sub("^(#|//)", "", line) for line in head[1].splitlines()]
    commands = textwrap.dedent("\n".join(lines)) + "\n"
    return [("sh", commands.replace("\\\\\n", "\\\n"))]  # as Python reads them


def run(page, folder, seen):
    """(number of commands run, the first that fails)."""
    environment = os.environ | {
        "PATH": f"{folder}/bin:{os.environ['PATH']}",
        "LATTN_CACHE_DIR": f"{folder}.cache", "PYTHONDONTWRITEBYTECODE": "1",
        "CMAKE_CXX_COMPILER_LAUNCHER": shutil.which("ccache") or ""}
    count = 0
    for kind, block in blocks(page):
        block = textwrap.dedent(block)
        if kind != "sh":
            write_file(kind, block, folder)
            continue
        to_do = [(" ".join(command.split()), command)
                 for command in filter(None, map(to_run, commands(block)))]
        # An example whose commands a page has said needs no second run.
        if page.suffix != ".md" and all(words in seen for words, _ in to_do):
            continue
        for words, command in to_do:
            # What two pages say and leaves no file runs once.
            if words in seen and not re.search(r" -o |\bcmake |/train_bytes", words):
                continue
            seen.add(words)
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", command],
                                  cwd=folder, env=environment, text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True)
            count += 1
            if done.returncode:
                return count, f"{command}\n{done.stdout}{done.stderr}"
            # A comment behind a command says what it prints.
            said = re.search(r"^(?:\./|\w+/build/)[^#]* # (.*)", command)
            if said and said[1] != done.stdout.strip():
                return count, f"{command}\nprinted {done.stdout}"
    return count, None


readme = source / "README.md"
lines = len(readme.read_text().splitlines())
assert lines <= 150, f"README.md has {lines} lines, expected at most 150"
errors, count, seen = [], {}, set()
shutil.rmtree(f"{work}.cache", ignore_errors=True)  # all pages share it
examples = [*source.glob("examples/*.*"), *source.glob("examples/**/CMakeLists.txt")]
for page in [readme, *sorted(source.glob("docs/**/*.md")), *sorted(examples)]:
    if only and pathlib.Path(page.name) not in only:
        continue
    make_folder(work)
    count[page.relative_to(source).as_posix()], error = run(page, work, seen)
    if error:
        errors.append(f"{page.relative_to(source)}: {error}")
if errors:
    sys.exit("\n".join(errors))
assert only or count["README.md"] >= 5 and (
    count["docs/tutorial/lattn-run.md"] >= 5), count
