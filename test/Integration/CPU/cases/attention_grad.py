"""Generated cases of lattn.attention_grad against f64 NumPy:
attention_grad.py SEED CASES TOOL FOLDER [FLAGS...]

What is hidden holds NaN and Inf, and destinations hold numbers that must not
count. Each case runs with 1, 2 and 3 threads, whose results agree in every bit.
"""

import sys

import ml_dtypes
import numpy as np

import attention_grad_reference as reference
import philox
from attention_grad_program import GradProgram
from attention_scores import is_visible
from programs import ELEMENTS, attributes
from runs import Tool, difference, typed

WINDOWS = [
    {}, {}, {"right": 0}, {"left": 3, "right": 1}, {"left": 0, "right": 0},
    {"left": 20, "right": 0}, {"left": 70}, {"bucket": 4, "back": 1},
    {"bucket": 32, "back": 1, "forward": 1},
    {"bucket": 5, "forward": 1, "left": 7},
]
REGION = """ score {{
  ^bb0(%s: {acc}, %bi: i32, %hi: i32, %qi: i32, %ki: i32, %t: {type}):
    %head = arith.index_cast %hi : i32 to index
    %slope = {read} %t[%head] : {type}
    %distance = arith.subi %ki, %qi : i32
    %x = arith.sitofp %distance : i32 to {acc}
    %tanh = math.tanh %s : {acc}
    %r = math.fma %slope, %x, %tanh : {acc}
    lattn.yield %r : {acc}
  }}"""
SIZES = [1, 2, 7, 8, 15, 16, 17, 24, 32, 33, 40, 64, 65, 80, 96, 128, 129, 256]
# What sums in f32 (f64) add, relative to 1 + the sum of absolute values: some
# hundred ulps, as scores have an error of some ulps of their own sum.
TOLERANCES = {"f64": 1e-12, "f32": 2e-5}
# Half an ulp of 1, of types that are narrower than sums. Results are rounded once;
# weights and gradients of scores may be rounded to bf16 once, too.
ROUNDINGS = {"f16": 2.0**-11, "bf16": 2.0**-8}


class Case:
    """Operands of one case, the program, and what it should give."""

    def __init__(self, number, rng):
        self.rng = rng
        self.element = ["f32", "bf16", "f64", "f16"][number % 4]
        self.acc = "f64" if self.element == "f64" else "f32"
        self.mixed = self.acc == "f32" and rng.random() < 0.15
        self.bnhd = rng.random() < 0.4
        self.unknown = [(), (2,), (2,), (0, 1, 2)][rng.integers(4)]
        self.form = str(rng.choice(["tensor", "slice", "memref", "view"],
                                   p=[.55, .15, .15, .15]))
        self.window = WINDOWS[rng.integers(len(WINDOWS))]
        self.causal = rng.random() < 0.2
        self.scale = [None, None, None, 0.3, -0.2, 0.0][rng.integers(6)]
        self.schedule = [None, None, None, (16, 8), (32, 40), (48, 24), (64, 64)
                         ][rng.integers(7)]
        self.choose_extents()
        self.choose_long_window()
        self.choose_options()
        self.choose_arrays()
        self.hide()
        self.run_forward()
        self.spoil()

    def choose_long_window(self):
        """Some that reach a part of the keys."""
        if self.is_long and self.window:
            self.window = [{"left": 300, "right": 0}, {"left": 40, "right": 90},
                           {"left": 900, "right": 100}, self.window
                           ][self.rng.integers(4)]

    def normal(self, *shape, element=None):
        array = self.rng.standard_normal(shape)
        return array.astype(ELEMENTS[element or self.choose_type()])

    def choose_type(self):
        if self.mixed:
            return str(self.rng.choice(["f16", "bf16", "f32"]))
        return self.element

    def choose_extents(self):
        rng = self.rng
        self.kv_heads = int(rng.choice([0, 1, 2], p=[.03, .6, .37]))
        self.group = int(rng.choice([1, 1, 2, 3]))
        n = int(rng.choice([0, rng.integers(1, 8), rng.integers(8, 90)],
                           p=[.05, .3, .65]))
        m = int(rng.choice([n, 0, rng.integers(1, 8), rng.integers(8, 160)],
                           p=[.45, .05, .2, .3]))
        # Long enough for several chunks of queries.
        self.is_long = self.kv_heads > 0 and rng.random() < 0.12
        if self.is_long:
            n, m = (int(x) for x in rng.integers(1000, 2000, 2))
            m = int(rng.choice([n, n, m]))
        # So few queries that keys are cut into parts.
        if not self.is_long and rng.random() < 0.3:
            self.unknown = [(), (2,), ()][rng.integers(3)]
            self.group = int(rng.choice([1, 2, 3, 4, 6, 8, 20]))
            n, m = int(rng.choice([1, 1, 2, 3, 4, 8, 15])), int(
                rng.choice([n, 64, rng.integers(200, 800)]))
        # (batches, heads, queries, keys) of the op, and its place in a larger.
        self.local = np.array([rng.choice([0, 1, 2, 3], p=[.05, .5, .3, .15]),
                               self.kv_heads * self.group, n, m])
        self.origin = np.zeros(4, int)
        if rng.random() < 0.15:
            self.origin = rng.integers(0, 3, 4)
        self.extents = self.local + self.origin
        self.size = int(rng.choice(SIZES))
        self.value_size = int(rng.choice([self.size, rng.choice(SIZES)]))
        if self.is_long:
            self.size, self.value_size = map(int, rng.integers(1, 24, 2))

    def choose_options(self):
        rng = self.rng
        batches, heads, queries, keys = map(int, self.extents)

        def maybe(make, p=0.25):
            return make() if rng.random() < p else None
        self.key_mask = maybe(lambda: rng.random((batches, keys)) < 0.7)
        self.kv_lens = maybe(lambda: rng.integers(-1, keys + 2, batches).astype(
            rng.choice([np.int32, np.int64])))
        self.offset = maybe(lambda: rng.integers(-5, max(keys - queries, 0) + 6,
                                                 [(), batches][rng.integers(2)]))
        if self.offset is not None:
            self.offset = np.asarray(self.offset, np.int64)
        elif self.origin.any():
            self.offset = np.asarray(2, np.int64)
        self.sink = maybe(lambda: self.normal(heads, element=str(
            rng.choice([self.element, self.acc]))))
        if self.sink is not None and rng.random() < 0.2:
            self.sink[:] = -np.inf
        self.bias = maybe(lambda: self.normal(*[
            (heads, 1, keys), (heads, 5), (1, 1, queries, keys),
            (batches, heads, queries, keys)][rng.integers(4)]))
        if self.bias is not None and rng.random() < 0.4:
            self.bias[rng.random(self.bias.shape) < 0.2] = -np.inf
        self.slopes = maybe(lambda: 0.1 * self.normal(heads, element=self.acc))
        self.dropout = maybe(lambda: (
            float(rng.choice([0.0, 0.3, 0.3, 0.8, 1.0])),
            int(rng.integers(-2**63, 2**63)), int(rng.integers(2**40))))

    def choose_arrays(self):
        b, h, n, m = map(int, self.local)
        self.query = self.normal(b, h, n, self.size)
        self.key = self.normal(b, self.kv_heads, m, self.size)
        self.value = self.normal(b, self.kv_heads, m, self.value_size)
        self.d_output = self.normal(b, h, n, self.value_size)
        self.d_lse = None
        if self.rng.random() < 0.3:
            self.d_lse = self.normal(b, h, n, element=self.acc)
        self.has_large_scores = self.slopes is None and self.rng.random() < 0.2
        if self.has_large_scores:
            self.choose_large_scores()

    def choose_large_scores(self):
        """Up to the type's largest number: those of the bias, or products of
        powers of 2, so that f32 and f64 agree."""
        levels = 10.0 ** np.array([0, 4, 10, 20, 38])
        if self.bias is not None:
            self.query[:] = 0
            with np.errstate(over="ignore"):
                largest = self.rng.choice(levels, 3) * [0, 1, -1]
                values = self.rng.choice(largest, self.bias.shape)
                limit = float(ml_dtypes.finfo(self.bias.dtype).max)
                self.bias[:] = np.clip(values, -limit, limit)
            return
        self.scale = 0.5
        exponent = 7 if self.element == "f16" else int(self.rng.choice([7, 20, 62]))
        for array in (self.query, self.key):
            array[:] = 0
            array[..., 0] = self.rng.choice([0, -1, 1, 1], array.shape[:3])
            array *= array.dtype.type(2.0**exponent)

    def choose_visible(self):
        """Which pairs are visible by masks, (B, N, M), and the coordinates."""
        b, h, i, j = np.ix_(*(np.arange(n) + o
                              for n, o in zip(self.local, self.origin)))
        self.at = b, h, i, j
        lens = np.full(self.extents[0], self.extents[3])
        if self.kv_lens is not None:
            lens = np.clip(self.kv_lens.astype(int), 0, lens)
        offset = lens - self.local[2] if self.offset is None else self.offset
        p = np.broadcast_to(offset, lens.shape)[b] + i
        visible = is_visible(self.window, p, j) & (j < lens[b])
        if self.causal:
            visible &= j <= p
        if self.key_mask is not None:
            visible &= self.key_mask[b, j]
        return visible

    def get_bias(self):
        if self.bias is None:
            return 0.0
        b, h, i, j = self.at
        bias = self.bias.astype(np.float64)
        if bias.ndim == 2:
            return bias[h, (i + j) % 5]
        if bias.ndim == 3:
            return bias[h, 0, j]
        return bias[b if len(bias) > 1 else 0 * b, h if bias.shape[1] > 1
                    else 0 * h, i, j]

    def hide(self):
        """NaN and Inf where nobody looks."""
        masks = np.broadcast_to(self.choose_visible(), self.local)
        self.visible = masks & ~np.isneginf(
            np.broadcast_to(self.get_bias(), self.local))
        # A bias of -inf hides no score of NaN, but values.
        for array, visible in (self.key, masks), (self.value, self.visible):
            b, h, n, m = visible.shape
            seen = visible.reshape(b, self.kv_heads, self.group, n, m).any((2, 3))
            if self.rng.random() < 0.5:
                array[~seen] = self.rng.choice([np.nan, np.inf, -np.inf])
        if self.rng.random() < 0.5:
            self.query[~masks.any(-1)] = self.rng.choice([np.nan, np.inf])
        # A row, or the rows that see a key, whose log-sum-exp is NaN.
        if (self.local.all() and (masks == self.visible).all()
                and self.rng.random() < 0.2):
            array = [self.query, self.key][self.rng.integers(2)]
            array[tuple(self.rng.integers(0, n) for n in array.shape)] = np.nan

    def wide(self, array, repeat=True):
        return array.astype(np.float64).repeat(self.group if repeat else 1, 1)

    def run_forward(self):
        b, h, i, j = self.at
        key = self.wide(self.key)
        with np.errstate(all="ignore"):
            scores = self.wide(self.query, False) @ reference.transposed(key)
            scores *= self.get_scale()
            self.slope = 1.0  # of the region's result by its score
            if self.slopes is not None:
                self.slope = 1 - np.tanh(scores)**2
                scores = np.tanh(scores) + self.slopes[h] * (j - i)
            scores = scores + self.get_bias()
        self.scores = np.where(self.visible, scores, -np.inf)
        self.kept = np.ones(self.local)
        if self.dropout is not None:
            row = b * self.extents[1] + h
            self.kept = philox.factors(self.dropout, row, i, j)
        self.sinks = np.full((self.local[1], 1), -np.inf)
        if self.sink is not None:
            self.sinks[:, 0] = self.sink[self.origin[1]:].astype(float)
        output, lse = reference.forward(self.scores, self.wide(self.value),
                                        self.sinks, self.kept)
        with np.errstate(all="ignore"):
            self.output = output.astype(ELEMENTS[self.choose_type()])
        self.lse = lse.astype(ELEMENTS[self.acc])

    def get_scale(self):
        return self.size ** -0.5 if self.scale is None else self.scale

    def spoil(self):
        """NaN in gradients of rows that see nothing, and at times in one that
        sees some: then in what depends on it, and nowhere else."""
        blind = ~self.visible.any(-1)
        if self.rng.random() < 0.5:
            self.d_output[blind] = self.rng.choice([np.nan, np.inf])
            if self.d_lse is not None:
                self.d_lse[np.isneginf(self.lse)] = np.nan
        # Large scores make weights of 0, which may take NaN or not.
        if (self.local.all() and self.rng.random() < 0.1
                and not self.has_large_scores):
            row = tuple(self.rng.integers(0, n) for n in self.local[:3])
            self.d_output[row] = np.nan

    def program(self):
        program = GradProgram(self.form, self.bnhd, self.unknown, self.rng)
        op = "".join(program.add_array(name, getattr(self, name))
                     for name in ["query", "key", "value"])
        for name in ["bias", "key_mask", "kv_lens", "offset", "sink"]:
            array = getattr(self, name)
            if array is not None:
                op += f" {name}({program.add(name, array)})"
        if self.dropout is not None:
            op += program.add_dropout(*self.dropout, self.extents[1])
        if self.origin.any():
            origin = [program.add_index(f"o{axis}", n)
                      for axis, n in enumerate(self.origin)]
            op += f" origin({', '.join(origin)})"
        region = ""
        if self.slopes is not None:
            value, type = program.add("slopes", self.slopes).split(" : ")
            op += f" captures({value} : {type})"
            read = "memref.load" if program.is_memref else "tensor.extract"
            region = REGION.format(acc=self.acc, type=type, read=read)
        op += program.add_array("output", self.output)
        op += f" lse({program.add_rows('lse', self.lse)})"
        op += program.add_array("d_output", self.d_output)
        if self.d_lse is not None:
            op += f" d_lse({program.add_rows('d_lse', self.d_lse)})"
        likes = {"d_query": self.query, "d_key": self.key, "d_value": self.value}
        if self.sink is not None and self.rng.random() < 0.8:
            likes["d_sink"] = self.sink
        window = ", ".join(f"{k} = {v}" for k, v in self.window.items())
        mapped = self.bias is not None and self.bias.ndim == 2
        tiles = self.schedule and (
            "#lattn.schedule<query_tile = {}, key_tile = {}>".format(*self.schedule))
        if tiles and self.schedule[1] in (8, 24) and self.dropout is None:
            tiles = tiles[:-1] + ", lanes = features>"
        return program.finish_gradients(op, likes, attributes({
            "causal": self.causal, "scale": self.scale, "schedule": tiles,
            "window": f"#lattn.window<{window}>" if window else None,
            "layout": "#lattn.layout<bnhd>" if self.bnhd else None,
            "bias_map": "affine_map<(b, h, q, k) -> (h, (q + k) mod 5)>"
                        if mapped else None}) + region)

    def expected(self):
        """{name: (gradient, what bounds its error)}"""
        query, output, d_output, lse = (self.wide(x, False) for x in (
            self.query, self.output, self.d_output, self.lse))
        d_lse = np.zeros(lse.shape) if self.d_lse is None else self.d_lse
        results = {}
        both = reference.gradients(
            query, self.wide(self.key), self.wide(self.value), self.scores,
            self.get_scale(), self.slope, self.kept, output, lse, d_output,
            d_lse)
        b, h, n, m = map(int, self.local)
        for name, *sums in zip(["d_query", "d_key", "d_value"], *both):
            if name != "d_query":
                parts = b, self.kv_heads, self.group, m
                sums = [x.reshape(*parts, x.shape[-1]).sum(2) for x in sums]
            results[name] = [x.swapaxes(1, 2) if self.bnhd else x for x in sums]
        if self.sink is not None:
            sums = reference.sink_gradient(self.sinks, output, lse, d_output,
                                           d_lse)
            results["d_sink"] = [np.concatenate([
                np.zeros(self.origin[1]), x]) for x in sums]
        return results


def get_bound(element, acc, expected, magnitude):
    rounded = np.abs(expected) + (magnitude if element == "bf16" else 0)
    return (ROUNDINGS.get(element, 0) * rounded
            + TOLERANCES[acc] * (1 + magnitude))


def check(case, program, run):
    """What is wrong, or None."""
    files = [run(program, "--threads=1"), run(program, "--threads=3"),
             run(program, "--threads=2")]
    expected = case.expected()
    for name, (element, view) in program.results.items():
        whole = typed(files[0][name], element)
        if any(whole.tobytes() != other[name].tobytes() for other in files[1:]):
            return f"{name} depends on the number of threads"
        got = view(whole)
        exact, magnitude = expected[name]
        bound = get_bound(element, case.acc, exact, magnitude)
        if wrong := difference(got, exact, bound / (1 + np.abs(exact))):
            return f"{name}: {wrong}"
        view(whole)[...] = program.OLD
        if not (whole == program.OLD).all():
            return f"{name} was written beside the view"
    return None


def main(seed, cases, tool, folder, *flags):
    runner = Tool(tool, folder, f"--cache={folder}/cache", *flags)
    failed = []
    for number in range(int(cases)):
        case = Case(number, np.random.default_rng([int(seed), number]))
        program = case.program()
        try:
            wrong = check(case, program, runner.run)
        except RuntimeError as error:
            wrong = str(error)
        if wrong:
            failed.append(f"seed {seed}, case {number}: {wrong}\n{program.text}")
    print("\n".join(failed))
    print(f"{int(cases) - len(failed)} of {cases} cases agree")
    sys.exit(1 if failed or not int(cases) else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
