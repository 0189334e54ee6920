"""Tokens to a module: declarations and function bodies."""

from . import ir
from .declarations import Declarations
from .faults import PTXError
from .lexer import tokenize
from .operands import Operands
from .scopes import Scopes

LINE_DIRECTIVES = {".version", ".target", ".address_size", ".file", ".loc"}


class Parser(Declarations, Operands):
    def __init__(self, text):
        self.text = text
        self.lines = text.split("\n")
        self.tokens = tokenize(text)
        self.at = 0
        self.module = ir.Module()
        self.scopes = None

    # ---- Tokens -------------------------------------------------------------

    @property
    def token(self):
        return self.tokens[self.at]

    def peek(self, ahead=1):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def next(self):
        token = self.tokens[self.at]
        self.at += 1
        return token

    def accept(self, text):
        if self.token.text == text and self.token.kind != "string":
            self.at += 1
            return True
        return False

    def expect(self, text):
        if not self.accept(text):
            self.error(f"expected {text!r}, got {self.token.text!r}")

    def error(self, message):
        line = self.token.line
        raise PTXError(f"line {line}: {message}: "
                       f"{self.lines[line - 1].strip()}")

    def rest_of_line(self):
        line, texts = self.token.line, []
        while self.token.line == line and self.token.kind != "end":
            texts.append(self.next().text)
        return texts

    def skip_braces(self):
        depth = 0
        while True:
            text = self.next().text
            depth += {"{": 1, "}": -1}.get(text, 0)
            if depth == 0 and text == "}":
                return

    # ---- Module -------------------------------------------------------------

    def parse(self):
        while self.token.kind != "end":
            text = self.token.text
            if text in LINE_DIRECTIVES:
                words = self.rest_of_line()
                if text == ".target":
                    self.module.target = words[1]
                elif text == ".version":
                    self.module.version = words[1]
            elif text == ".section":
                self.next()
                while self.token.text != "{":
                    self.next()
                self.skip_braces()
            elif text in (".pragma", ".alias"):
                while self.next().text != ";":
                    pass
            else:
                self.top_level()
        return self.module

    def top_level(self):
        while self.token.text in (".visible", ".extern", ".weak", ".common"):
            self.next()
        if self.token.text in (".entry", ".func"):
            return self.function()
        for var in self.variables():
            self.module.vars[var.name] = var
        return None

    def function(self):
        entry = self.next().text == ".entry"
        line = self.token.line
        results = []
        while self.token.kind == "directive":
            self.next()  # .noreturn and the like
        if self.token.text == "(":
            results = self.parameters()
        name = self.next().text
        params = self.parameters() if self.token.text == "(" else []
        known = self.module.functions.get(name)
        function = ir.Function(name, entry, params, results, line)
        while self.token.text not in ("{", ";"):
            self.next()  # .maxntid 128, 1, 1
        if not self.accept(";"):
            self.body(function)
        if not (known and known.body):
            self.module.functions[name] = function

    # ---- Bodies -------------------------------------------------------------

    def body(self, function):
        function.body = True
        self.function_now = function
        self.scopes = Scopes(function)
        self.expect("{")
        depth = 1
        while depth:
            token = self.token
            if token.kind == "end":
                self.error(f"{function.name} does not end")
            if self.accept("{"):
                depth += 1
                self.scopes.push()
            elif self.accept("}"):
                depth -= 1
                self.scopes.pop()
            elif token.kind == "implicit":
                function.implicit.add(self.register(self.next().text).name)
            elif token.kind == "directive":
                self.body_directive(function)
            elif token.kind == "name" and self.peek().text == ":":
                self.label(function)
            elif not self.accept(";"):
                function.code.append(self.instruction())
        self.scopes.resolve()
        for ins in function.code:
            if ins.parts[0] == "bra" and \
                    ins.args[0].name not in function.labels:
                raise PTXError(f"line {ins.line}: label {ins.args[0].name} is "
                               f"not defined: {ins.text}")

    def body_directive(self, function):
        text = self.token.text
        if text == ".loc":
            self.rest_of_line()
        elif text == ".reg":
            self.registers()
        elif text == ".pragma":
            while self.next().text != ";":
                pass
        else:
            for var in self.variables():
                function.vars.append(self.scopes.declare_variable(var))

    def label(self, function):
        name = self.next().text
        self.expect(":")
        if self.token.text in (".branchtargets", ".calltargets"):
            self.next()
            names = [self.next().text]
            while self.accept(","):
                names.append(self.next().text)
            self.expect(";")
            self.scopes.declare_targets(name, names)
        elif self.token.text == ".callprototype":
            while self.next().text != ";":
                pass
        else:
            self.scopes.declare_label(name, len(function.code))

    def instruction(self):
        line, start, guard = self.token.line, self.token.at, None
        if self.accept("@"):
            negative = self.accept("!")
            guard = self.register(self.next().text)
            guard = ir.Not(guard) if negative else guard
        if self.token.kind != "name":
            self.error("expected an instruction")
        op = self.next().text
        args = []
        while not self.accept(";"):
            args.append(self.operand(op))
            if not self.accept(","):
                self.expect(";")
                break
        text = " ".join(self.text[start:self.token.at].split("//")[0].split())
        return ir.Ins(line, guard, op, args, text)


def parse(text):
    return Parser(text).parse()
