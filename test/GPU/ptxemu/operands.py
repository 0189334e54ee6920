"""The operands of one instruction."""

import struct

from . import ir

# %laneid, %tid.x: registers that nobody declares.
SPECIAL = {
    "tid", "ntid", "laneid", "warpid", "nwarpid", "ctaid", "nctaid", "smid",
    "nsmid", "gridid", "clusterid", "nclusterid", "cluster_ctaid",
    "cluster_nctaid", "cluster_ctarank", "cluster_nctarank",
    "is_explicit_cluster", "lanemask_eq", "lanemask_le", "lanemask_lt",
    "lanemask_ge", "lanemask_gt", "clock", "clock_hi", "clock64",
    "globaltimer", "globaltimer_lo", "globaltimer_hi", "total_smem_size",
    "dynamic_smem_size", "aggr_smem_size"}


def number(text):
    """A literal as an Imm."""
    lower = text.lower().rstrip("u")
    if lower.startswith("0f"):
        return ir.Imm("f32", int(text[2:], 16))
    if lower.startswith("0d") and len(text) == 18:
        return ir.Imm("f64", int(text[2:], 16))
    if lower.startswith(("0x", "0b")):
        return ir.Imm("int", int(lower, 0))
    if "." in lower or "e" in lower:
        bits = struct.unpack("<Q", struct.pack("<d", float(text)))[0]
        return ir.Imm("f64", bits)
    octal = len(lower) > 1 and lower[0] == "0"
    return ir.Imm("int", int(lower, 8 if octal else 10))


class Operands:
    """Part of the parser."""

    def register(self, name):
        if name in ("%SP", "%SPL") or not name.startswith("%") or \
                name[1:].split(".")[0] not in SPECIAL:
            reg = self.scopes.register(name)
            if reg is None:
                self.error(f"register {name} is not declared")
            return reg
        return ir.Special(name)

    def operand(self, op):
        first = self.simple_operand(op)
        if self.accept("|"):
            return ir.Pair(first, self.simple_operand(op))
        return first

    def simple_operand(self, op):
        token = self.token
        if token.text == "{":
            return ir.Vec(tuple(self.list("{", "}", op)))
        if token.text == "(":
            return ir.Vec(tuple(self.list("(", ")", op)))
        if token.text == "[":
            return self.memory(op)
        if self.accept("!"):
            return ir.Not(self.register(self.next().text))
        if token.kind == "number" or token.text == "-":
            return self.literal()
        if token.kind != "name":
            self.error(f"expected an operand, got {token.text!r}")
        return self.named(self.next().text)

    def named(self, name):
        if name == "_":
            return None
        if name == "WARP_SZ":
            return ir.Imm("int", 32)
        if name.startswith("%"):
            return self.register(name)
        reg = self.scopes.register(name)
        return reg or self.scopes.symbol(name, self.offset())

    def literal(self):
        sign = -1 if self.accept("-") else 1
        imm = number(self.next().text)
        if sign < 0:
            flip = {"int": lambda v: -v, "f32": lambda v: v ^ 1 << 31,
                    "f64": lambda v: v ^ 1 << 63}[imm.kind]
            imm = ir.Imm(imm.kind, flip(imm.value))
        return imm

    def offset(self):
        total = 0
        while self.token.text in ("+", "-"):
            sign = -1 if self.next().text == "-" else 1
            if self.accept("-"):
                sign = -sign
            total += sign * number(self.next().text).value
        return total

    def list(self, opening, closing, op):
        self.expect(opening)
        items = []
        while not self.accept(closing):
            items.append(self.operand(op))
            if not self.accept(","):
                self.expect(closing)
                break
        return items

    def memory(self, op):
        self.expect("[")
        base = self.simple_operand(op)
        offset = self.offset()
        if isinstance(base, ir.Sym):
            offset, base.offset = offset + base.offset, 0
        coords = []
        while self.accept(","):
            item = self.operand(op)
            coords += item.items if isinstance(item, ir.Vec) else [item]
        self.expect("]")
        return ir.Mem(base, offset, tuple(coords))
