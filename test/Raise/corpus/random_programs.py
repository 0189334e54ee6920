"""Random programs with attention, as linalg text, and what they compute."""

import dataclasses
from typing import Callable

import numpy as np

PAIR = "affine_map<(b, i, j) -> (b, i, j)>"
ROW = "affine_map<(b, i, j) -> (b, i)>"


@dataclasses.dataclass
class Condition:
    """Ops that define `name`, an i1, from %b, %i and %j of one pair."""

    ops: str
    name: str
    values: Callable  # of coordinates as arrays


class Maker:
    """Conditions on a query's position %qp and a key's %kp."""

    def __init__(self, random, keys):
        self.random, self.keys, self.count = random, keys, 0
        self.constants, self.keep = {}, None

    def fresh(self):
        self.count += 1
        return f"%c{self.count}"

    def index(self, value):
        name = f"%n{value}" if value >= 0 else f"%m{-value}"
        self.constants[name] = f"{name} = arith.constant {value} : index"
        return name

    def compare(self):
        """A bound of the distance, of buckets, or of one of the two."""
        random = self.random
        predicate = random.choice(["sle", "sge", "slt", "sgt", "eq", "ne"])
        compare = {"sle": np.less_equal, "sge": np.greater_equal, "slt": np.less,
                   "sgt": np.greater, "eq": np.equal, "ne": np.not_equal}[predicate]
        kind = random.choice(["distance"] * 3 + ["bucket"] * 2 + ["key", "sum"])
        name, out = self.fresh(), self.fresh()
        if kind == "distance":
            bound = random.randint(-6, 12)
            ops = f"{name} = arith.subi %qp, %kp : index\n"
            value = lambda q, k: q - k
        elif kind == "bucket":
            size, bound = random.randint(2, 9), random.randint(-1, 2)
            n = self.index(size)
            ops = (f"{name}q = arith.floordivsi %qp, {n} : index\n"
                   f"{name}k = arith.floordivsi %kp, {n} : index\n"
                   f"{name} = arith.subi {name}q, {name}k : index\n")
            value = lambda q, k: q // size - k // size
        elif kind == "key":
            bound = random.randint(0, self.keys)
            ops = f"{name} = arith.addi %kp, {self.index(0)} : index\n"
            value = lambda q, k: k + 0 * q
        else:
            bound = random.randint(0, 2 * self.keys)
            ops = f"{name} = arith.addi %qp, %kp : index\n"
            value = lambda q, k: q + k
        ops += (f"{out} = arith.cmpi {predicate}, {name}, {self.index(bound)}"
                " : index\n")
        return Condition(ops, out, lambda b, q, k: compare(value(q, k), bound))

    def band(self):
        left, right = self.random.randint(0, 9), self.random.randint(0, 9)
        d, a, b, out = (self.fresh() for _ in range(4))
        ops = (f"{d} = arith.subi %qp, %kp : index\n"
               f"{a} = arith.cmpi sle, {d}, {self.index(left)} : index\n"
               f"{b} = arith.cmpi sge, {d}, {self.index(-right)} : index\n"
               f"{out} = arith.andi {a}, {b} : i1\n")
        return Condition(ops, out,
                         lambda b, q, k: (q - k <= left) & (k - q <= right))

    def kept(self):
        """By an argument, for each key of each batch."""
        out = self.fresh()
        return Condition(f"{out} = tensor.extract %keep[%b, %j] : !keep\n", out,
                         lambda b, q, k: self.keep[b, k])

    def tree(self, depth):
        random = self.random
        if depth == 0 or random.random() < 0.2:
            choices = [self.band, self.band, self.compare]
            return random.choice(choices + [self.kept] * (self.keep is not None))()
        kind = random.choice(["andi", "andi", "ori", "not"])
        a, out = self.tree(depth - 1), self.fresh()
        if kind == "not":
            return Condition(f"{a.ops}{out} = arith.xori {a.name}, %true : i1\n", out,
                             lambda *at: ~a.values(*at))
        b = self.tree(depth - 1)
        join = np.logical_and if kind == "andi" else np.logical_or
        return Condition(f"{a.ops}{b.ops}{out} = arith.{kind} {a.name}, {b.name}"
                         " : i1\n", out,
                         lambda *at: join(a.values(*at), b.values(*at)))


def generic(out, inputs, maps, body, into, to, reduces=False):
    last = "reduction" if reduces else "parallel"
    args = ", ".join(f"%x{i}: f32" for i in range(len(inputs)))
    names, types = (", ".join(x[part] for x in inputs) for part in (0, 1))
    return (f'%{out} = linalg.generic {{indexing_maps = [{", ".join(maps)}], '
            f'iterator_types = ["parallel", "parallel", "{last}"]}} '
            f"ins({names} : {types}) outs({into} : {to}) {{\n"
            f"^bb0({args}, %o: f32):\n{body}}} -> {to}\n")


def soften(form):
    """softmax of %m along its last axis, !l, with %le, %rz and %rn."""
    if form == "op":
        return "%w = linalg.softmax dimension(2) ins(%m : !l) outs(%le : !l) -> !l\n"
    text, subtract = "", ""
    inputs, maps = [("%m", "!l")], [PAIR]
    if form == "safe":
        text = generic("max", inputs, [PAIR, ROW],
                       "%0 = arith.maximumf %x0, %o : f32\nlinalg.yield %0 : f32\n",
                       "%rn", "!r", reduces=True)
        inputs, maps = inputs + [("%max", "!r")], maps + [ROW]
        subtract = "%1 = arith.subf %x0, %x1 : f32\n"
    text += generic("x", inputs, maps + [PAIR],
                    subtract + f"%2 = math.exp {'%1' if subtract else '%x0'} : f32\n"
                    "linalg.yield %2 : f32\n", "%le", "!l")
    text += generic("sum", [("%x", "!l")], [PAIR, ROW],
                    "%0 = arith.addf %x0, %o : f32\nlinalg.yield %0 : f32\n", "%rz",
                    "!r", reduces=True)
    return text + generic("w", [("%x", "!l"), ("%sum", "!r")], [PAIR, ROW, PAIR],
                          "%0 = arith.divf %x0, %x1 : f32\nlinalg.yield %0 : f32\n",
                          "%le", "!l")


def attend(q, k, v, scale, seen, hidden, bias, sink):
    """In float64; a row without visible keys is NaN where `hidden` is -inf."""
    scores = np.einsum("bid,bjd->bij", q, k) * scale
    if bias is not None:
        scores = scores + bias
    scores = np.where(seen, scores, hidden)
    if sink is not None:
        column = np.broadcast_to(sink[:, None, None], scores.shape[:2] + (1,))
        scores = np.concatenate([scores, column], -1)
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
    return np.einsum("bij,bjd->bid", weights[..., :k.shape[1]], v)


@dataclasses.dataclass
class Program:
    text: str
    inputs: list
    expected: np.ndarray
    shows: bool  # any key to any query


def make_whole(random):
    """Queries and keys of any number, any mask, perhaps a bias and a sink."""
    generator = np.random.default_rng(random.getrandbits(32))
    heads, n, dim = random.randint(1, 3), random.randint(1, 40), random.randint(1, 8)
    m = n if random.random() < 0.6 else random.randint(1, 40)
    maker = Maker(random, m)
    maker.keep = generator.random((heads, m)) < 0.7 if random.random() < 0.4 else None
    shift = random.choice([0, 0, m - n])
    mask = maker.tree(random.randint(0, 3))
    form = random.choice(["op", "safe", "plain"])
    hidden = -np.inf if form == "plain" else random.choice([-np.inf, -1e30])
    scale = random.choice([1.0, 0.5])
    has_bias, has_sink = random.random() < 0.3, random.random() < 0.3
    sink_is_first = random.random() < 0.5
    q, k, v = (generator.standard_normal((heads, size, dim)).astype(np.float32)
               for size in (n, m, m))
    bias = generator.standard_normal((heads, n, m)).astype(np.float32)
    sink = generator.standard_normal(heads).astype(np.float32)
    b, i, j = np.ogrid[:heads, :n, :m]
    seen = np.broadcast_to(mask.values(b, i + shift, j), (heads, n, m))
    expected = attend(*(x.astype(np.float64) for x in (q, k, v)), scale, seen, hidden,
                      bias if has_bias else None, sink if has_sink else None)
    extra = [("%keep", "!keep", maker.keep)] if maker.keep is not None else []
    extra += [("%bias", "!s", bias)] if has_bias else []
    extra += [("%sink", f"tensor<{heads}xf32>", sink)] if has_sink else []
    row = ["%qp = arith.addi %i, %shift : index", "%kp = arith.addi %j, %n0 : index"]
    maker.index(0)
    body = ("%b = linalg.index 0 : index\n%i = linalg.index 1 : index\n"
            "%j = linalg.index 2 : index\n" + "\n".join(row) + "\n" + mask.ops +
            "%scaled = arith.mulf %x0, %scale : f32\n" +
            ("%y = arith.addf %scaled, %x1 : f32\n" if has_bias else
             "%y = arith.mulf %scaled, %one : f32\n") +
            f"%z = arith.select {mask.name}, %y, %hidden : f32\nlinalg.yield %z : f32\n")
    inputs = [("%s", "!s")] + ([("%bias", "!s")] if has_bias else [])
    length = m + has_sink
    scores = generic("masked" if has_sink else "m", inputs,
                     [PAIR] * (len(inputs) + 1), body, "%e", "!s")
    if has_sink:
        column = f"tensor<{heads}x{n}x1xf32>"
        scores += (f"%ce = tensor.empty() : {column}\n" +
                   generic("column", [("%sink", f"tensor<{heads}xf32>")],
                           ["affine_map<(b, i, j) -> (b)>", PAIR],
                           "linalg.yield %x0 : f32\n", "%ce", column) +
                   "%m = tensor.concat dim(2) " +
                   (f"%column, %masked : ({column}, !s)" if sink_is_first else
                    f"%masked, %column : (!s, {column})") + " -> !l\n")
    keep = (f"%kept = tensor.extract_slice %w[0, 0, {int(sink_is_first)}] "
            f"[{heads}, {n}, {m}] [1, 1, 1] : !l to !s\n" if has_sink else "")
    text = f"""!q = tensor<{heads}x{n}x{dim}xf32>
!k = tensor<{heads}x{m}x{dim}xf32>
!s = tensor<{heads}x{n}x{m}xf32>
!l = tensor<{heads}x{n}x{length}xf32>
!r = tensor<{heads}x{n}xf32>
!keep = tensor<{heads}x{m}xi1>
func.func @main(%q: !q, %k: !k, %v: !k{"".join(f", {x}: {t}" for x, t, _ in extra)}) -> !q {{
%zero = arith.constant 0.0 : f32
%one = arith.constant 1.0 : f32
%true = arith.constant true
%none = arith.constant 0xFF800000 : f32
%hidden = arith.constant {"0xFF800000" if np.isinf(hidden) else "-1.0e30"} : f32
%scale = arith.constant {scale} : f32
%shift = arith.constant {shift} : index
{chr(10).join(maker.constants.values())}
%e = tensor.empty() : !s
%le = tensor.empty() : !l
%re = tensor.empty() : !r
%f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
%rz = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
%rn = linalg.fill ins(%none : f32) outs(%re : !r) -> !r
%s = linalg.batch_matmul indexing_maps = [
  affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>,
  affine_map<(b, i, j, d) -> (b, i, j)>]
  ins(%q, %k : !q, !k) outs(%f : !s) -> !s
{scores}{soften(form)}{keep}%oe = tensor.empty() : !q
%of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
%r = linalg.batch_matmul ins({"%kept" if has_sink else "%w"}, %v : !s, !k) outs(%of : !q) -> !q
return %r : !q
}}
"""
    return Program(text, [q, k, v] + [x for _, _, x in extra], expected, seen.any())


def make_buckets(random):
    """Buckets of queries, and for each the padded keys of those around it; perhaps
    with a length that is known at run time, and a bias of the places."""
    generator = np.random.default_rng(random.getrandbits(32))
    size, count, dim = random.randint(1, 7), random.randint(1, 5), random.randint(1, 8)
    back, forward = random.randint(0, 2), random.randint(0, 2)
    n, keys = size * count, size * (back + 1 + forward)
    maker = Maker(random, n)
    mask = maker.tree(random.randint(0, 2))
    shows_padding = random.random() < 0.15
    form = random.choice(["op", "safe"])
    hidden = random.choice([-np.inf, -1e30])
    is_open, has_bias = random.random() < 0.5, random.random() < 0.3
    q, k, v = generator.standard_normal((3, n, dim)).astype(np.float32)
    bias = generator.standard_normal((size, keys)).astype(np.float32)
    w, i, j = np.ogrid[:count, :size, :keys]
    place = (w - back) * size + j
    seen = np.broadcast_to(mask.values(0 * w, w * size + i, place),
                           (count, size, keys))
    if not shows_padding:
        seen = seen & (place >= 0) & (place < n)
    unfolded = [np.pad(x.astype(np.float64), ((back * size, forward * size), (0, 0)))
                [place[:, 0] + back * size] for x in (k, v)]
    expected = attend(q.astype(np.float64).reshape(count, size, dim), *unfolded, 1.0,
                      seen, hidden, bias if has_bias else None, None).reshape(n, dim)
    both = maker.fresh()
    inside = (f"%low = arith.cmpi sge, %kp, %n0 : index\n"
              f"%high = arith.cmpi slt, %kp, {'%length' if is_open else maker.index(n)}"
              " : index\n"
              "%in = arith.andi %low, %high : i1\n"
              f"{both} = arith.andi {mask.name}, "
              f"{'%true' if shows_padding else '%in'} : i1\n")
    if shows_padding:
        inside = f"{both} = arith.andi {mask.name}, %true : i1\n"
    maker.index(0)
    body = ("%w = linalg.index 0 : index\n%i = linalg.index 1 : index\n"
            "%j = linalg.index 2 : index\n"
            f"%start = arith.muli %w, {maker.index(size)} : index\n"
            "%qp = arith.addi %start, %i : index\n"
            "%row = arith.addi %start, %j : index\n"
            f"%kp = arith.subi %row, {maker.index(back * size)} : index\n"
            f"{mask.ops}{inside}"
            f"%y = arith.addf %x0, {'%x1' if has_bias else '%zero'} : f32\n"
            f"%z = arith.select {both}, %y, %hidden : f32\nlinalg.yield %z : f32\n")
    # Sizes in types and in text.
    length, blocks_, w = ("?", "?", "%blocks") if is_open else (n, count, count)
    sizes = "%blocks" if is_open else ""

    def unfold(x):
        rows = "?" if is_open else n + (back + forward) * size
        padded = f"tensor<{rows}x{dim}xf32>"
        return (f"%{x}_pad = tensor.pad %{x} low[{back * size}, 0] "
                f"high[{forward * size}, 0] {{\n^bb0(%a: index, %c: index):\n"
                f"tensor.yield %zero : f32\n}} : !t to {padded}\n"
                f"%{x}e = tensor.empty({sizes}) : !k\n" +
                generic(f"{x}u", [(f"%{x}_pad", padded)],
                        [f"affine_map<(w, j, d) -> (w * {size} + j, d)>", PAIR],
                        "linalg.yield %x0 : f32\n", f"%{x}e", "!k"))

    def concatenate(x):
        blocks, names = f"tensor<{blocks_}x{size}x{dim}xf32>", []
        made = (f"%{x}b = tensor.expand_shape %{x} [[0, 1], [2]] output_shape "
                f"[{w}, {size}, {dim}] : !t into {blocks}\n")
        for step in range(-back, forward + 1):
            names.append(f"%{x}_{step + back}")
            away, kept = min(abs(step), count), count - min(abs(step), count)
            if not step:
                names[-1] = f"%{x}b"
                continue
            zeros, slice_ = (f"tensor<{rows}x{size}x{dim}xf32>"
                             for rows in (away, "?" if is_open else kept))
            if not kept:
                names[-1] += "z"
                made += (f"{names[-1]}e = tensor.empty() : {zeros}\n"
                         f"{names[-1]} = linalg.fill ins(%zero : f32) "
                         f"outs({names[-1]}e : {zeros}) -> {zeros}\n")
                continue
            made += (f"{names[-1]}e = tensor.empty() : {zeros}\n"
                     f"{names[-1]}z = linalg.fill ins(%zero : f32) "
                     f"outs({names[-1]}e : {zeros}) -> {zeros}\n"
                     f"{names[-1]}s = tensor.extract_slice %{x}b["
                     f"{away if step > 0 else 0}, 0, 0] "
                     f"[{f'%kept{away}' if is_open else kept}, {size}, {dim}] "
                     f"[1, 1, 1] : {blocks} to {slice_}\n")
            parts = [(f"{names[-1]}z", zeros), (f"{names[-1]}s", slice_)]
            parts = parts[::-1] if step > 0 else parts
            made += (f"{names[-1]} = tensor.concat dim(0) {parts[0][0]}, {parts[1][0]}"
                     f" : ({parts[0][1]}, {parts[1][1]}) -> {blocks}\n")
        return made + (f"%{x}u = tensor.concat dim(1) {', '.join(names)} : "
                       f"({', '.join([blocks] * len(names))}) -> !k\n")

    gather = random.choice([unfold, concatenate])
    if is_open and max(back, forward) >= count:  # nothing to slice
        gather = unfold
    lengths = "".join(
        f"%kept{away} = affine.apply affine_map<()[s] -> (s - {away})>()[%blocks]\n"
        for away in range(1, max(back, forward) + 1))
    lengths = ("%n0i = arith.constant 0 : index\n%length = tensor.dim %q, %n0i : !t\n"
               f"%blocks = affine.apply affine_map<()[s] -> (s floordiv {size})>()[%length]\n"
               + lengths) if is_open else ""
    # One array, so that the three have one length.
    arguments = "%q: !t, %k: !t, %v: !t"
    if is_open:
        arguments = f"%qkv: tensor<3x?x{dim}xf32>"
        lengths = "".join(
            ["%n1i = arith.constant 1 : index\n"
             f"%rows = tensor.dim %qkv, %n1i : tensor<3x?x{dim}xf32>\n"] +
            [f"%{x} = tensor.extract_slice %qkv[{i}, 0, 0] [1, %rows, {dim}] "
             f"[1, 1, 1] : tensor<3x?x{dim}xf32> to !t\n"
             for i, x in enumerate("qkv")]) + lengths
    scores = [("%s", "!l")] + ([("%bias", "!bias")] if has_bias else [])
    maps = [PAIR] + (["affine_map<(b, i, j) -> (i, j)>"] if has_bias else []) + [PAIR]
    text = f"""!t = tensor<{length}x{dim}xf32>
!q = tensor<{blocks_}x{size}x{dim}xf32>
!k = tensor<{blocks_}x{keys}x{dim}xf32>
!l = tensor<{blocks_}x{size}x{keys}xf32>
!r = tensor<{blocks_}x{size}xf32>
!bias = tensor<{size}x{keys}xf32>
func.func @main({arguments}{", %bias: !bias" if has_bias else ""}) -> !t {{
%zero = arith.constant 0.0 : f32
%true = arith.constant true
%none = arith.constant 0xFF800000 : f32
%hidden = arith.constant {"0xFF800000" if np.isinf(hidden) else "-1.0e30"} : f32
{chr(10).join(maker.constants.values())}
{lengths}%qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [{w}, {size}, {dim}] : !t into !q
{gather("k")}{gather("v")}%le = tensor.empty({sizes}) : !l
%re = tensor.empty({sizes}) : !r
%f = linalg.fill ins(%zero : f32) outs(%le : !l) -> !l
%rz = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
%rn = linalg.fill ins(%none : f32) outs(%re : !r) -> !r
%s = linalg.batch_matmul indexing_maps = [
  affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>,
  affine_map<(b, i, j, d) -> (b, i, j)>]
  ins(%qb, %ku : !q, !k) outs(%f : !l) -> !l
{generic("m", scores, maps, body, "%le", "!l")}{soften(form)}
%oe = tensor.empty({sizes}) : !q
%of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
%r = linalg.batch_matmul ins(%w, %vu : !l, !k) outs(%of : !q) -> !q
%out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
return %out : !t
}}
"""
    inputs = [np.stack([q, k, v])] if is_open else [q, k, v]
    return Program(text, inputs + [bias] * has_bias, expected, seen.any())
