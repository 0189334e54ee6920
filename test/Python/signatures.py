# REQUIRES: slow
# RUN: %pytest %s

# Public signatures and annotations have types.

import inspect
import os
import pydoc
import re
import typing


import lattn

MODULES = [lattn, lattn.math]
try:
    import lattn.nn

    MODULES += [lattn.nn, lattn.nn.zeta]
except ImportError:  # without torch
    pass

# What may be anything: arguments that go on to other functions, and those of a
# constructor that has two signatures.
ANY = {"lattn.nn.LocalMHA.__init__.kwargs",
       "lattn.nn.LocalTransformer.__init__.kwargs",
       "lattn.nn.LocalTransformer.generate.kwargs",
       "lattn.nn.MultiwayNetwork.forward.kwargs",
       "lattn.nn.zeta.LocalMHA.__init__.kwargs",
       "lattn.nn.zeta.MultiheadAttention.__init__.args",
       "lattn.nn.zeta.MultiheadAttention.__init__.kwargs",
       "lattn.nn.zeta.MultiheadAttention.forward.inputs",
       "lattn.nn.zeta.MultiheadAttention.forward.kwargs"}


def find_functions():
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            path = f"{module.__name__}.{name}"
            if inspect.isclass(value):
                for base in value.__mro__:
                    if base.__module__.startswith("lattn."):
                        for method, function in vars(base).items():
                            if inspect.isfunction(function) and (
                                    method == "__init__" or method[0] != "_"):
                                yield f"{path}.{method}", function
            elif inspect.isfunction(value):
                yield path, value


FUNCTIONS = dict(reversed(list(find_functions())))  # a class hides its bases


def holds_any(annotation):
    if isinstance(annotation, str):
        return bool(re.search(r"\bAny\b", annotation))
    return annotation is typing.Any or any(
        map(holds_any, typing.get_args(annotation)))


def test_finds_them():
    assert {"lattn.attention", "lattn.math.exp"} <= FUNCTIONS.keys()
    assert len(FUNCTIONS) > 30


def test_no_any():
    found = set()
    for path, function in FUNCTIONS.items():
        hints = typing.get_type_hints(inspect.unwrap(function))
        signature = inspect.signature(function)
        for name, parameter in signature.parameters.items():
            if name == "self":
                continue
            assert parameter.annotation is not parameter.empty, (path, name)
            if holds_any(parameter.annotation) or holds_any(hints[name]):
                found.add(f"{path}.{name}")
        assert signature.return_annotation is not signature.empty, path
        assert not holds_any(signature.return_annotation), path
        assert not holds_any(hints["return"]), path
    assert found <= ANY
    assert len(MODULES) == 2 or found == ANY


def test_annotations_of_classes():
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            for base in value.__mro__ if inspect.isclass(value) else ():
                if base.__module__.startswith("lattn."):
                    for at, annotation in vars(base).get(
                            "__annotations__", {}).items():
                        assert not holds_any(annotation), (name, at)


def test_help():
    text = pydoc.plain(pydoc.render_doc(lattn.attention))
    for argument in ("q: 'ArrayLike'",
                     "window: 'Window | tuple[int | None, int | None] | None'",
                     "offset: 'int | ArrayLike | None'",
                     "score_mod: 'ScoreMod | None'",
                     "mask_mod: 'MaskMod | None'", "-> 'ArrayOrPair'"):
        assert argument in text
    assert "Any" not in text.partition(")")[0]


def test_array_like():
    names = {kind.__name__ for kind in typing.get_args(lattn.ArrayLike)}
    assert names == {"ndarray", "DLPackArray", "CudaArray"}


def test_stubs():
    path = os.path.join(os.path.dirname(lattn.__file__), "_lattn.pyi")
    with open(path) as file:
        uses = [line.strip() for line in file if re.search(r"\bAny\b", line)]
    assert uses == ["from typing import Any, Optional, Union",
                    "**kwargs: Union[ArrayLike, float]) -> Any:"]


def test_help_of_compiled_functions():
    for name in ("__call__", "grad", "signature"):
        assert len(pydoc.getdoc(getattr(lattn.Callable, name)).split()) > 8, name
