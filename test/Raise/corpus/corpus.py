"""What a program of the corpus is, and the arrays that it runs on."""

import dataclasses
import json
import pathlib
import zlib
from typing import Any, Callable, Optional, Sequence

import numpy as np

FOLDER = pathlib.Path(__file__).parent
PROGRAMS = FOLDER / "programs"
MANIFEST = FOLDER / "manifest.json"
RESULTS = FOLDER / "results.npz"

# (shape, kind): f32 and f16 are normal numbers, bool is true for two thirds and
# in each row's first element, i64 counts keys: from 1 to the number behind it.
Input = tuple[tuple[int, ...], str]


@dataclasses.dataclass
class Program:
    name: str
    build: Callable[[], Any]  # the module or function, as the front end takes it
    inputs: Sequence[Input]
    # The window of each attention in the order of the program, as the text in
    # #lattn.window<>, the narrowest that all visible pairs lie in; none: nothing
    # may be raised.
    windows: Sequence[str]
    dynamic: Optional[Any] = None  # dynamic_shapes of torch.export
    tolerance: float = 2e-5


def make_inputs(name, inputs):
    """The same arrays for a name on every machine."""
    generator = np.random.default_rng(zlib.crc32(name.encode()))
    arrays = []
    for shape, kind in inputs:
        if kind in ("f32", "f16"):
            array = generator.standard_normal(shape).astype(kind.replace("f", "float"))
        elif kind == "bool":
            array = generator.random(shape) < 0.66
            array[..., 0] = True
        elif kind.startswith("i64<"):
            array = generator.integers(1, int(kind[4:]), shape)
        else:
            raise ValueError(f"{name}: unknown kind of input '{kind}'")
        arrays.append(array)
    return arrays


def read_manifest():
    """name -> {inputs, windows, tolerance}"""
    return json.loads(MANIFEST.read_text())


def read_results():
    """name -> the front end's results"""
    with np.load(RESULTS) as stored:
        results = {}
        for key in sorted(stored.files):
            results.setdefault(key.rpartition(".")[0], []).append(stored[key])
        return results
