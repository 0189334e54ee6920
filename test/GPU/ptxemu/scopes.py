"""Names inside a function: braces open scopes, labels are known late."""

from . import ir


class Scopes:
    def __init__(self, function):
        self.function = function
        self.count = 0
        # Names of called functions stay apart from their callers'.
        self.own = "" if function.entry else f"@{function.name}"
        self.chain = [Scope(self.own)]
        self.pending = []  # (symbol, scopes around it)
        for var in function.params + function.results:
            self.declare_variable(var)

    def push(self):
        self.count += 1
        self.chain.append(Scope(f"{self.own}#{self.count}"))

    def pop(self):
        self.chain.pop()

    # ---- Declarations -------------------------------------------------------

    def declare_register(self, name, type_name):
        scope = self.chain[-1]
        scope.registers[name] = ir.Reg(name + scope.suffix, type_name)

    def declare_range(self, prefix, count, type_name):
        self.chain[-1].ranges[prefix] = (count, type_name)

    def declare_variable(self, var):
        scope = self.chain[-1]
        scope.symbols[var.name] = var.name + scope.suffix
        var.name += scope.suffix
        return var

    def declare_label(self, name, index):
        scope = self.chain[-1]
        scope.symbols[name] = name + scope.suffix
        self.function.labels[name + scope.suffix] = index

    def declare_targets(self, name, names):
        scope = self.chain[-1]
        scope.symbols[name] = name + scope.suffix
        self.function.targets[name + scope.suffix] = [
            self.symbol(n) for n in names]

    # ---- Uses ---------------------------------------------------------------

    def register(self, name):
        for scope in reversed(self.chain):
            if name in scope.registers:
                return scope.registers[name]
            prefix = name.rstrip("0123456789")
            if prefix in scope.ranges and len(prefix) < len(name):
                count, type_name = scope.ranges[prefix]
                if int(name[len(prefix):]) < count:
                    reg = ir.Reg(name + scope.suffix, type_name)
                    scope.registers[name] = reg
                    return reg
        return None

    def symbol(self, name, offset=0):
        sym = ir.Sym(name, offset)
        self.pending.append((sym, tuple(self.chain)))
        return sym

    def resolve(self):
        for sym, chain in self.pending:
            for scope in reversed(chain):
                if sym.name in scope.symbols:
                    sym.name = scope.symbols[sym.name]
                    break


class Scope:
    def __init__(self, suffix):
        self.suffix = suffix
        self.registers = {}
        self.ranges = {}
        self.symbols = {}
