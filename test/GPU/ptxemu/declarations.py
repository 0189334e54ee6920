"""Declarations: registers, variables, parameters and their first values."""

from . import ir
from .operands import number
from .types import TYPES

SPACES = {"shared", "local", "global", "const", "param"}
# .ptr .global .align 16: what a pointer parameter points to; not its type.
IGNORED = {"ptr", "visible", "extern", "weak", "common", "unified", "managed"}


class Declarations:
    """Part of the parser."""

    def registers(self):
        self.expect(".reg")
        type_name = self.next().text[1:]
        if type_name in ("v2", "v4") or (
                type_name not in TYPES and type_name != "b128"):
            self.error(f"registers of type .{type_name} are not modelled")
        while True:
            name = self.next().text
            if self.accept("<"):
                count = number(self.next().text).value
                self.expect(">")
                self.scopes.declare_range(name, count, type_name)
            else:
                self.scopes.declare_register(name, type_name)
            if not self.accept(","):
                break
        self.expect(";")

    def variables(self):
        """.shared .align 16 .b8 a[4], b[4] = {1, 2};"""
        space, type_name, align, lanes = self.type_words()
        result = []
        while True:
            name = self.next().text
            count, array = self.dimensions(space)
            init = ()
            if self.accept("="):
                init = tuple(self.initial_values())
            if count is None and init:
                count = len(init)
            result.append(ir.Var(name, space, type_name, align,
                                 None if count is None else count * lanes,
                                 init, array))
            if not self.accept(","):
                break
        self.expect(";")
        return result

    def type_words(self):
        space = type_name = None
        align, lanes = 0, 1
        while self.token.kind == "directive":
            word = self.next().text[1:].split("::")[0]
            if word == "align":
                align_here = number(self.next().text).value
                align = align or align_here
            elif word in SPACES:
                space = space or word  # .param .u64 .ptr .global
            elif word in TYPES:
                type_name = word
            elif word in ("v2", "v4"):
                lanes = int(word[1])
            elif word == "attribute":
                self.list("(", ")", "")
            elif word not in IGNORED:
                self.error(f".{word} is not modelled here")
        if type_name is None:
            self.error("a declaration without a type")
        return space, type_name, align or TYPES[type_name].bytes * lanes, lanes

    def dimensions(self, space):
        count, array = 1, False
        while self.accept("["):
            array = True
            if self.accept("]"):
                count = None
            else:
                count *= number(self.next().text).value
                self.expect("]")
        return count, array

    def initial_values(self):
        if not self.accept("{"):
            return [self.initial_value()]
        values = []
        while not self.accept("}"):
            if self.token.text == "{":
                values += self.initial_values()
            else:
                values.append(self.initial_value())
            self.accept(",")
        return values

    def initial_value(self):
        if self.token.kind == "number" or self.token.text == "-":
            return self.literal()
        self.error("only numbers are modelled as first values")
        return None

    def parameters(self):
        """(.param .u64 a, .param .align 8 .b8 b[16])"""
        self.expect("(")
        result = []
        while not self.accept(")"):
            if self.token.text == ".reg":
                self.error("parameters in registers are not modelled")
            _, type_name, align, _ = self.type_words()
            name = self.next().text
            count, array = self.dimensions("param")
            result.append(ir.Var(name, "param", type_name, align, count, (),
                                 array))
            self.accept(",")
        return result
