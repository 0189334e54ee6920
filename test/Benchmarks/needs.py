# REQUIRES: slow
# RUN: %pytest %s

# Without a package that it imports, each benchmark says in one sentence how to install it.

import ast
import pathlib
import re
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "benchmarks"
ARGUMENTS = {"few_queries.py": ["reads"], "plot.py": ["none.json"], "run.py": ["quick"],
             ("gradients.py", "torch"): ["--sdpa"],
             ("gradients.py", "ml_dtypes"): ["--type", "bf16"]}
INDIRECT = [("plot.py", "rich"), ("plot.py", "matplotlib"), ("run.py", "numpy"),
            ("run.py", "ml_dtypes"), ("raising.py", "torch_mlir")]
OPTIONAL = [("python_overhead.py", "torch")]
HIDE = """
import runpy, sys
_, hidden, *sys.argv = sys.argv
sys.modules[hidden] = None
sys.path[0] = sys.argv[0].rpartition("/")[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def imported(path):
    """The packages of others that a file imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - {"harness", "peers"}


FOUND = {(path.name, package) for path in FOLDER.glob("*.py")
         for package in imported(path)}


@pytest.mark.parametrize("name, package",
                         sorted(FOUND.union(INDIRECT).difference(OPTIONAL)))
def test_missing(name, package):
    arguments = ARGUMENTS.get((name, package), ARGUMENTS.get(name, []))
    run = subprocess.run([sys.executable, "-c", HIDE, package, FOLDER / name, *arguments],
                         capture_output=True, text=True, timeout=100)
    assert run.returncode == 1 and run.stdout == ""
    assert re.fullmatch(rf"{name}: {package} is not installed: "
                        r"scripts/(setup( torch)?|build), or pip install "
                        rf"({package}|\.)(; .*)?\n", run.stderr)


def test_benchmarks_are_found():
    assert len({name for name, _ in FOUND}) == len(list(FOLDER.glob("*.py"))) - 1
