"""MLIR functions around one op."""

import ml_dtypes
import numpy as np

ELEMENTS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32,
            "f64": np.float64, "i1": np.bool_, "i32": np.int32,
            "i64": np.int64}
NAMES = {np.dtype(type): name for name, type in ELEMENTS.items()}


class Program:
    """A function of named arrays that returns what one op gives."""

    def __init__(self):
        self.arrays = {}
        self.types = {}

    def add(self, name, array, unknown=()):
        """An argument, a scalar if it has no axes; those in `unknown` are not
        known when compiled. Returns "%name : type"."""
        self.arrays[name] = array
        element = NAMES[array.dtype]
        self.types[name] = (tensor_type(array.shape, element, unknown)
                            if array.ndim else element)
        return f"%{name} : {self.types[name]}"

    def add_index(self, name, value):
        """An argument of type index. Returns "%name"."""
        self.arrays[name] = np.int64(value)
        self.types[name] = "index"
        return f"%{name}"

    def finish(self, op, element, extents, tail):
        """Sets the text: `op`, its destination, and `tail`, its attributes. An
        extent is a number, or the (argument, axis) that has it."""
        lines, values, dims = [], [], []
        for extent in extents:
            dims.append("?" if isinstance(extent, tuple) else str(extent))
            if isinstance(extent, tuple):
                argument, axis = extent
                value = f"%x{len(values)}"
                values.append(value)
                lines += [f"%c{value[1:]} = arith.constant {axis} : index",
                          f"{value} = tensor.dim %{argument}, %c{value[1:]} : "
                          f"{self.types[argument]}"]
        result = f"tensor<{'x'.join([*dims, element])}>"
        arguments = ", ".join(f'%{name}: {type} {{lattn.name = "{name}"}}'
                              for name, type in self.types.items())
        lines += [f"%e = tensor.empty({', '.join(values)}) : {result}",
                  f"%0 = {op} outs(%e : {result}) {tail}",
                  f"return %0 : {result}"]
        self.element = element
        self.text = (f'func.func @main({arguments}) -> ({result} '
                     '{lattn.name = "out"}) {\n  ' + "\n  ".join(lines)
                     + "\n}\n")
        return self


def tensor_type(shape, element, unknown=()):
    dims = ["?" if axis in unknown else str(n) for axis, n in enumerate(shape)]
    return f"tensor<{'x'.join([*dims, element])}>"


def attributes(values):
    """The text of {name: value}: None and False are left out, True is a unit, a
    float f64, an int i64, a string is itself."""
    def text(name, value):
        if value is True:
            return name
        if isinstance(value, float):
            return f"{name} = {np.format_float_scientific(value)} : f64"
        return f"{name} = {value}" + " : i64" * isinstance(value, int)
    return "{" + ", ".join(text(name, value) for name, value in values.items()
                           if value is not None and value is not False) + "}"
