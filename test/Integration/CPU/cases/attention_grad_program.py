"""Functions around one lattn.attention_grad: on tensors, on slices of larger
ones, on memrefs and on strided views of larger ones."""

import numpy as np

from programs import NAMES, Program, tensor_type


class GradProgram(Program):
    OLD = 7  # what destinations hold before

    def __init__(self, form, bnhd, unknown, rng):
        super().__init__()
        self.is_memref = form in ("memref", "view")
        self.is_part = form in ("slice", "view")
        self.bnhd, self.rng = bnhd, rng
        self.unknown = [[0, 2, 1, 3][a] for a in unknown] if bnhd else unknown
        self.lines = []
        self.results = {}  # name: (element, part of an array that the op has)

    def add(self, name, array, unknown=()):
        typed = super().add(name, array, unknown)
        if array.ndim and self.is_memref:
            self.types[name] = self.types[name].replace("tensor", "memref")
        return f"%{name} : {self.types[name]}"

    def add_dropout(self, p, seed, offset, heads):
        for name, x in [("p", np.float32(p)), ("seed", np.int64(seed)),
                        ("words", np.int64(offset)), ("heads", np.int64(heads))]:
            self.add(name, np.asarray(x))
        return " dropout(%p, %seed, %words, %heads : f32, i64, i64, i64)"

    def add_rows(self, name, array):
        axes = [a for a in (0, 1, 2) if len(self.unknown) == 3 or (
            self.unknown and a == 2)]
        return self.add(name, np.ascontiguousarray(array), axes)

    def add_array(self, name, array):
        """The operand `name`, of four axes."""
        array = array.swapaxes(1, 2) if self.bnhd else array
        value, type, _ = self.add_part(name, array, self.rng.choice([1, 1, 2]))
        return f" {name}({value} : {type})"

    def add_part(self, name, array, last_step=1):
        """(value, type, function from the argument to the op's part of it)"""
        if not self.is_part or array.ndim != 4:
            value, type = self.add(name, np.ascontiguousarray(array),
                                   self.unknown if array.ndim == 4 else ()
                                   ).split(" : ")
            return value, type, lambda whole: whole
        steps = [1, *self.rng.integers(1, 3, 2), last_step]
        first, steps = [0, *self.rng.integers(0, 3, 3)], [int(s) for s in steps]
        first = [int(f) for f in first]
        extents = [f + max(n, 1) * s
                   for f, n, s in zip(first, array.shape, steps)]
        slices = tuple(slice(f, f + n * s, s)
                       for f, n, s in zip(first, array.shape, steps))
        whole = np.full(extents, np.nan).astype(array.dtype)
        whole[slices] = array
        _, type = self.add(name, whole).split(" : ")
        part = tensor_type(array.shape, NAMES[array.dtype])
        kind = "tensor.extract_slice"
        if self.is_memref:
            kind = "memref.subview"
            strides = [int(np.prod(extents[a + 1:])) for a in range(4)]
            at = sum(f * s for f, s in zip(first, strides))
            part = part[:-1].replace("tensor", "memref") + (
                f", strided<{[s * t for s, t in zip(strides, steps)]}, "
                f"offset: {at}>>")
        self.lines.append(f"%{name}_part = {kind} %{name}{first} "
                          f"{list(array.shape)} {steps} : {type} to {part}")
        return f"%{name}_part", part, lambda whole: whole[slices]

    def finish_gradients(self, op, likes, tail):
        """Sets the text. `likes`: {destination: an array of its type}."""
        outs, types = [], []
        for name, like in likes.items():
            like = like.swapaxes(1, 2) if self.bnhd and like.ndim == 4 else like
            argument = name if self.is_memref else f"old_{name}"
            value, type, view = self.add_part(argument,
                                              np.full_like(like, self.OLD))
            array = self.arrays[argument]
            array[...] = self.OLD
            if not self.is_memref:  # the result is the part itself
                view = lambda whole: whole  # noqa: E731
            self.results[name] = NAMES[like.dtype], view
            outs.append(value)
            types.append(type)
        listed = f"{', '.join(outs[:3])} : {', '.join(types[:3])}"
        listed += "".join(f", {v} : {t}" for v, t in zip(outs[3:], types[3:]))
        names = [f'{{lattn.name = "{name}"}}' for name in likes]
        arguments = ", ".join(f'%{name}: {type} {{lattn.name = "{name}"}}'
                              for name, type in self.types.items())
        line = f"lattn.attention_grad {op.strip()} outs({listed}) {tail}"
        returned, results = "return", ""
        if not self.is_memref:
            line = f"%r:{len(outs)} = {line}"
            values = ", ".join(f"%r#{i}" for i in range(len(outs)))
            returned = f"return {values} : {', '.join(types)}"
            results = " -> (" + ", ".join(map(" ".join, zip(types, names))) + ")"
        body = "\n  ".join([*self.lines, line, returned])
        self.text = f"func.func @main({arguments}){results} {{\n  {body}\n}}\n"
        return self
