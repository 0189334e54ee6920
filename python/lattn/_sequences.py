"""MLIR text around an attention of packed sequences: lattn.pad_sequences for what it
reads, and lattn.pack_sequences for what it writes."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple

_ROWS = {"q": ("query", "output", "lse", "d_query", "d_output", "d_lse"),
         "k": ("key", "value", "d_key", "d_value")}
_LENGTHS = "tensor<?xi64>"


class _Side(NamedTuple):
    """The sequences of queries, or of keys."""

    cu_seqlens: str
    kind: str  # its type
    most: str  # how many rows the longest one has


class Packing:
    """Takes cu_seqlens_q, max_seqlen_q, cu_seqlens_k and max_seqlen_k out of `read`, the
    operands {name: (value, type)}. `layout` is the op's."""

    def __init__(self, read: dict[str, tuple[str, str]], layout: str) -> None:
        self.lines: list[str] = []
        self._sides: dict[str, _Side] = {}  # by the arrays' names
        self._attributes = f" {{layout = {layout}}}" if layout else ""
        for side, names in _ROWS.items():
            if f"cu_seqlens_{side}" not in read:
                continue
            array, kind = read.pop(f"cu_seqlens_{side}")
            number, _ = read.pop(f"max_seqlen_{side}")
            most = f"%most_{side}"
            self.lines.append(f"{most} = arith.index_cast {number} : i64 to index")
            self._sides |= dict.fromkeys(names, _Side(array, kind, most))

    def read(self, name: str, value: str, kind: str) -> str:
        """The rows of `value`, padded if they are packed."""
        side = self._sides.get(name)
        if side is None:
            return value
        self.lines.append(
            f"%{name}_padded, %{name}_lengths = lattn.pad_sequences ins({value}, "
            f"{side.cu_seqlens} : {kind}, {side.kind}) max_seqlen({side.most})"
            f"{self._attributes} -> {kind}, {_LENGTHS}")
        return f"%{name}_padded"

    def place(self, name: str, value: str, kind: Any) -> str:
        """Where the op writes what becomes `value`."""
        side = self._sides.get(name)
        if side is None:
            return value
        rows = 1 if "bnhd" in self._attributes and len(kind.sizes) == 4 else 2
        sizes = []
        for axis, size in enumerate(kind.sizes):
            if axis == 0:
                sizes.append(self._count(name, side))
            elif axis == rows:
                sizes.append(side.most)
            elif size is None:
                at = f"%{name}_axis{axis}"
                self.lines += [
                    f"{at}_number = arith.constant {axis} : index",
                    f"{at} = tensor.dim {value}, {at}_number : {kind.tensor}"]
                sizes.append(at)
        self.lines.append(
            f"%{name}_empty = tensor.empty({', '.join(sizes)}) : {kind.tensor}")
        return f"%{name}_empty"

    def _count(self, name: str, side: _Side) -> str:
        """The number of sequences."""
        at = f"%{name}_count"
        self.lines += [
            f"{at}_zero = arith.constant 0 : index",
            f"{at}_one = arith.constant 1 : index",
            f"{at}_entries = tensor.dim {side.cu_seqlens}, {at}_zero : {side.kind}",
            f"{at} = arith.subi {at}_entries, {at}_one : index"]
        return at

    def write(self, name: str, value: str, result: str, kind: str
              ) -> tuple[list[str], str]:
        """Lines that write `result` to `value`, and what then holds the rows."""
        side = self._sides.get(name)
        if side is None:
            return [], result
        return [
            f"%{name}_packed = lattn.pack_sequences ins({result}, "
            f"{side.cu_seqlens} : {kind}, {side.kind}) outs({value} : {kind})"
            f"{self._attributes}"], f"%{name}_packed"

    def complete(self, read: dict[str, tuple[str, str]], order: Mapping[str, Any]
                 ) -> dict[str, tuple[str, str]]:
        """Adds kv_lens and offset, which say how long each sequence is. The offset puts
        the last query of a sequence at its last key."""
        if not self._sides:
            return read
        if "key" in self._sides:
            read["kv_lens"] = "%key_lengths", _LENGTHS
        if "query" in self._sides and "offset" not in read:
            read["offset"] = self._offset(read), _LENGTHS
        return {name: read[name] for name in order if name in read}

    def _offset(self, read: Mapping[str, tuple[str, str]]) -> str:
        lengths = "%all_keys"
        if "kv_lens" in read:
            value, kind = read["kv_lens"]
            lengths = value
            if kind != _LENGTHS:
                lengths = "%key_lengths"
                self.lines.append(f"{lengths} = arith.extsi {value} : {kind} to "
                                  f"{_LENGTHS}")
        else:
            key, kind = read["key"]
            axis = 1 if "bnhd" in self._attributes else 2
            self.lines += [
                f"%key_axis = arith.constant {axis} : index",
                f"%key_count = tensor.dim {key}, %key_axis : {kind}",
                "%key_number = arith.index_cast %key_count : index to i64",
                f"%all_keys = tensor.splat %key_number[{self._sequences()}] : "
                f"{_LENGTHS}"]
        self.lines.append(f"%from = arith.subi {lengths}, %query_lengths : "
                          f"{_LENGTHS}")
        return "%from"

    def _sequences(self) -> str:
        return self._count("query", self._sides["query"])
