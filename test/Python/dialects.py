# RUN: %pytest %s

# Files under python/ contain no text of the dialects vector, scf, memref and
# llvm: Python describes programs of tensors, which the compiler lowers. The type
# of an argument may be a memref.

import ast
import pathlib
import re

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "python"
# Operations, whose names may be put together, and types.
PATTERN = re.compile(r"\b(?:vector|scf|memref|llvm)\.(?:[a-z_]|$)|\bvector<")
CODE = """
def f(op):
    '''Of memref.load in a docstring.'''
    # scf.for in a comment
    return {}
"""


def find_strings(path, text):
    if path.suffix != ".py":
        return re.findall(r'"((?:[^"\\\n]|\\.)*)"', text)
    nodes = list(ast.walk(ast.parse(text)))
    docstrings = {
        id(node.body[0].value) for node in nodes
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and ast.get_docstring(node) is not None}
    return [node.value for node in nodes if isinstance(node, ast.Constant)
            and isinstance(node.value, str) and id(node) not in docstrings]


def has_dialects(path, text):
    return any(map(PATTERN.search, find_strings(path, text)))


@pytest.mark.parametrize("value, expected", [
    ('"%0 = memref.load %x[]"', True), ('f"memref.{op} %x"', True),
    ('f"vector<{op}xf32>"', True), ('"!llvm.ptr"', True),
    ('"memref<4xf32>"', False), ('"a vector. And more"', False),
    ('op.memref.load()', False)])
def test_search(value, expected):
    path = pathlib.Path("x.py")
    assert has_dialects(path, CODE.format(value)) == expected


def test_files():
    found = [path for path in FOLDER.rglob("*")
             if path.suffix in (".py", ".cpp", ".h")
             and has_dialects(path, path.read_text())]
    assert not found, "write these as operations on tensors"
