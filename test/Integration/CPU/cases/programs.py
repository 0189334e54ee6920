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

    def add_dropout(self, p, seed, offset):
        """Its arguments, and their types."""
        for name, x in [("p", np.float32(p)), ("seed", np.int64(seed)),
                        ("offset", np.int64(offset))]:
            self.add(name, np.asarray(x))
        return "%p, %seed, %offset : f32, i64, i64"

    def finish(self, op, element, extents, tail, also=(), which=0):
        """Sets the text: `op`, its destination, and `tail`, its attributes. An
        extent is a number, the (argument, axis) that has it, or the name of an
        index. `also` are further destinations, (keyword, element, extents);
        `which` is returned."""
        lines, types, destinations = [], [], []
        for keyword, kind, sizes in [("outs", element, extents), *also]:
            empty = f"%e{len(types)}"
            types.append(self._make_empty(lines, empty, kind, sizes))
            destinations.append(f"{keyword}({empty} : {types[-1]})")
        result, many = types[which], f":{len(types)}" if also else ""
        arguments = ", ".join(f'%{name}: {type} {{lattn.name = "{name}"}}'
                              for name, type in self.types.items())
        lines += [f"%0{many} = {op} {' '.join(destinations)} {tail}",
                  f"return %0{f'#{which}' if also else ''} : {result}"]
        self.element = [element, *(kind for _, kind, _ in also)][which]
        self.text = (f'func.func @main({arguments}) -> ({result} '
                     '{lattn.name = "out"}) {\n  ' + "\n  ".join(lines)
                     + "\n}\n")
        return self

    def _make_empty(self, lines, name, element, extents):
        """Adds an empty tensor; its type."""
        values, dims = [], []
        for extent in extents:
            dims.append(str(extent) if isinstance(extent, int) else "?")
            if isinstance(extent, str):
                values.append(f"%{extent}")
            elif isinstance(extent, tuple):
                argument, axis = extent
                value = f"{len(lines)}"
                values.append(f"%x{value}")
                lines += [f"%c{value} = arith.constant {axis} : index",
                          f"%x{value} = tensor.dim %{argument}, %c{value} : "
                          f"{self.types[argument]}"]
        result = f"tensor<{'x'.join([*dims, element])}>"
        lines.append(f"{name} = tensor.empty({', '.join(values)}) : {result}")
        return result


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
