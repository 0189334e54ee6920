"""Launch records: what the host does for a function with kernels, as data.

Numbers are JSON's, ["size", array, axis], ["stride", array, axis] (in elements),
["address", array], ["scalar", argument], ["number", index] or
[operator, operands...].
"""

import dataclasses
import math

from .errors import BundleError

def unsigned(number):
    return number % 2 ** 64


def address(data):
    """The address of NumPy's array; `data` may also be an address itself."""
    if isinstance(data, int):
        return data
    return data.__array_interface__["data"][0]


OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "ceildiv": lambda a, b: -(-a // b),
    "floordiv": lambda a, b: a // b,
    "div": lambda a, b: int(math.trunc(a / b)),
    "rem": lambda a, b: int(math.fmod(a, b)),
    "mod": lambda a, b: a % b,
    "min": min,
    "max": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "select": lambda c, a, b: a if c else b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "u<": lambda a, b: int(unsigned(a) < unsigned(b)),
    "u<=": lambda a, b: int(unsigned(a) <= unsigned(b)),
    "u>": lambda a, b: int(unsigned(a) > unsigned(b)),
    "u>=": lambda a, b: int(unsigned(a) >= unsigned(b)),
}


@dataclasses.dataclass
class Array:
    """Memory of the kernel's: `data` is whatever stands for its first element."""

    data: object
    sizes: tuple
    strides: tuple        # elements


@dataclasses.dataclass
class TensorMap:
    """What cuTensorMapEncodeTiled takes; axes from the innermost."""

    array: str
    element: str
    sizes: list
    strides: list         # bytes, of all axes but the innermost
    box: list
    swizzle: int          # bytes
    promotion: int        # bytes of L2
    offset: int = 0       # bytes from the array's first element


@dataclasses.dataclass
class Launch:
    kernel: str
    grid: tuple
    block: tuple
    cluster: tuple
    shared: int
    parameters: list      # (type, value)


class Call:
    """One call of a recorded function with arrays and scalars by name."""

    def __init__(self, function, values):
        self.function = function
        self.values = dict(values)
        self.numbers = {}  # those of the function that are known
        self.check()

    def check(self):
        wanted = {a["name"]: a for a in self.function["arguments"]}
        if wanted.keys() != self.values.keys():
            raise BundleError(f"{self.function['name']}: expected the arguments "
                              f"{', '.join(wanted)}, got "
                              f"{', '.join(self.values)}")
        for name, argument in wanted.items():
            sizes = argument.get("sizes")
            if sizes is None:
                continue
            got = self.values[name].sizes
            if len(got) != len(sizes) or any(
                    s not in (None, g) for s, g in zip(sizes, got)):
                raise BundleError(f"{name}: expected sizes {sizes}, got "
                                  f"{list(got)}")
        for check in self.function.get("checks", []):
            if self.holds(check) and not self.number(check["expected"]):
                raise BundleError(check["message"])

    def number(self, expression):
        if not isinstance(expression, list):
            return expression
        head, *rest = expression
        if head == "number":
            at = rest[0]
            if at not in self.numbers:
                self.numbers[at] = self.number(self.function["numbers"][at])
            return self.numbers[at]
        if head == "size":
            return self.values[rest[0]].sizes[rest[1]]
        if head == "stride":
            return self.values[rest[0]].strides[rest[1]]
        if head == "address":
            return address(self.values[rest[0]].data)
        if head == "scalar":
            return self.values[rest[0]]
        if head not in OPERATORS:
            raise BundleError(f"the manifest has an operator {head!r} that this "
                              "program does not know")
        return OPERATORS[head](*(self.number(e) for e in rest))

    def buffers(self):
        """(name, bytes) of memory. Each is to be added, as an Array, before the next
        is asked for, which may depend on its address."""
        for buffer in self.function["buffers"]:
            if self.holds(buffer):
                yield buffer["name"], self.number(buffer["bytes"])

    def holds(self, record):
        return all(self.number(c) for c in record.get("if", []))

    def add(self, name, array):
        self.values[name] = array

    def results(self):
        """The arrays that hold the results, by their names."""
        arrays = {}
        for result in self.function["results"]:
            if result["name"] not in arrays and self.holds(result):
                arrays[result["name"]] = self.values[result["array"]]
        return arrays

    def launches(self):
        """The launches that have work, in order."""
        for record in self.function["launches"]:
            if self.holds(record):
                launch = self.launch(record)
                if all(launch.grid):
                    yield launch

    def launch(self, record):
        def extents(name):
            return tuple(self.number(e) for e in record.get(name, [1, 1, 1]))
        return Launch(record["kernel"], extents("grid"), extents("block"),
                      extents("cluster"), self.number(record["shared"]),
                      [self.parameter(*p) for p in record["parameters"]])

    def parameter(self, kind, value):
        if kind == "pointer":
            return kind, self.values[value].data
        if kind != "tensor_map":
            return kind, self.number(value)
        fields = {name: [self.number(e) for e in field]
                  if isinstance(field, list) and name in ("sizes", "strides",
                                                          "box")
                  else self.number(field) for name, field in value.items()}
        return kind, TensorMap(**fields)
