"""What the machine can do: FLOP/s of a loop of independent FMAs, compiled by
lattn, and the speed of a copy."""

import time

import numpy as np

from .machine import vector_bits

ACCUMULATORS = 12  # two ports of a latency of four or five cycles
ITERATIONS = 50_000
PARTS = 32         # of each thread
TYPES = {"f32": np.float32, "f64": np.float64}


def _source(lanes, element):
    each = range(ACCUMULATORS)
    vector, inputs = f"vector<{lanes}x{element}>", f"memref<{lanes}x{element}>"
    outputs = f"memref<?x{ACCUMULATORS}x{lanes}x{element}>"

    def lines(text):
        return "\n".join(text.format(i=i, v=vector) for i in each)

    def listed(text):
        return ", ".join(text.format(i=i, v=vector) for i in each)

    return f"""
func.func @peak(%iterations: index, %parts: index, %in: {inputs}, %out: {outputs}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
{lines("  %k{i} = arith.constant {i} : index")}
  %x = vector.load %in[%c0] : {inputs}, {vector}
  scf.forall (%part) in (%parts) {{
    %sums:{ACCUMULATORS} = scf.for %i = %c0 to %iterations step %c1
        iter_args({listed("%a{i} = %x")}) -> ({listed("{v}")}) {{
{lines("      %b{i} = math.fma %a{i}, %x, %x : {v}")}
      scf.yield {listed("%b{i}")} : {listed("{v}")}
    }}
{lines(f"    vector.store %sums#{{i}}, %out[%part, %k{{i}}, %c0] : {outputs}, {{v}}")}
  }}
  return
}}
"""


class Peak:
    """Samples of FLOP/s by element type, on as many threads as lattn has."""

    def __init__(self, threads):
        import lattn
        self.samples = {element: [] for element in TYPES}
        self._loops = []
        for element, dtype in TYPES.items():
            for bits in vector_bits():
                lanes = bits // 8 // np.dtype(dtype).itemsize
                loop = lattn.compile(_source(lanes, element))
                # a = a / 2 + 1 / 2: it neither grows nor becomes denormal.
                data = (np.full(lanes, 0.5, dtype), np.empty(
                    (PARTS * threads, ACCUMULATORS, lanes), dtype))
                self._loops.append((element, lanes, loop, data))

    def sample(self):
        for element, lanes, loop, data in self._loops:
            parts = len(data[1])
            begin = time.perf_counter()
            loop(ITERATIONS, parts, *data)
            seconds = time.perf_counter() - begin
            flops = 2 * lanes * ACCUMULATORS * ITERATIONS * parts
            self.samples[element].append(flops / seconds)


def copy_speed(rounds=5, megabytes=64):
    """Bytes read and written a second, by one thread."""
    source = np.ones(megabytes << 20, np.uint8)
    target = np.zeros_like(source)
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        np.copyto(target, source)
        times.append(time.perf_counter() - begin)
    return 2 * source.nbytes / min(times)
