"""Causal attention with a window of 256 over 65,536 bytes of real text.

Each byte, with the byte before it, is embedded by a fixed seed into query, key
and value of 8 heads of size 64. lattn-run compiles and runs
examples/windowed_attention.mlir on them. Rows of its result are checked against
an f64 oracle. The exit code is 1 if they disagree.
"""

import argparse
import pathlib
import subprocess
import sys
import time

import numpy as np

import oracle

HEADS, SIZE, LEFT, SEED = 8, 64, 256, 2026
TOLERANCE = 2e-5  # absolute and relative: f32 sums of 64 products, 257 weights

started = time.perf_counter()


def say(text):
    print(f"[{time.perf_counter() - started:5.1f} s] {text}", flush=True)


def read_text(length):
    """`length` bytes: the licences that every Debian has, else lattn's own
    sources; repeated as often as it takes."""
    files = sorted(f for f in pathlib.Path("/usr/share/common-licenses").glob("*")
                   if f.is_file() and not f.is_symlink())
    origin = "/usr/share/common-licenses"
    if not files:
        files = sorted(pathlib.Path("lib").rglob("*.cpp"))
        origin = "lib"
    text = b"".join(f.read_bytes() for f in files)
    repeats = -(-length // len(text))
    return np.frombuffer((text * repeats)[:length], np.uint8), origin


def embed(text, generator):
    """(1, HEADS, N, SIZE) of f32 with variance 1: a vector for each byte and
    head plus one for the byte before it."""
    tables = generator.standard_normal((2, HEADS, 256, SIZE), np.float32)
    tables *= np.float32(0.5 ** 0.5)
    before = np.concatenate(([0], text[:-1]))
    return (tables[0][:, text] + tables[1][:, before])[np.newaxis]


def rows_to_check(length, generator):
    """(head, row): the first rows, where the window begins, the last, and some
    in between."""
    first = min(300, length)
    pairs = {(h, i) for h in range(HEADS) for i in range(first)}
    pairs |= {(h, i) for h in range(HEADS)
              for i in range(max(0, length - 8), length)}
    pairs |= set(zip(generator.integers(0, HEADS, 400).tolist(),
                     generator.integers(0, length, 400).tolist()))
    return sorted(pairs)


def check(arrays, output, generator):
    """True if all checked rows of `output` are the oracle's."""
    query, key, value = (arrays[name][0] for name in ("query", "key", "value"))
    if output.shape != arrays["query"].shape or output.dtype != np.float32:
        say(f"expected {arrays['query'].shape} of float32, got "
            f"{output.shape} of {output.dtype}")
        return False
    if not np.isfinite(output).all():
        say("the result has elements that are not finite")
        return False
    pairs = rows_to_check(query.shape[1], generator)
    worst, place, wrong = 0.0, pairs[0], 0
    for head, i in pairs:
        expected = oracle.attention_row(query[head], key[head], value[head], i,
                                        left=LEFT, right=0)
        errors = np.abs(output[0, head, i] - expected)
        wrong += bool((errors > TOLERANCE * (1 + np.abs(expected))).any())
        if errors.max() > worst:
            worst, place = errors.max(), (head, i)
    say(f"{len(pairs)} rows against the f64 oracle: largest error {worst:.3g} "
        f"(head {place[0]}, row {place[1]}), tolerance {TOLERANCE:g}, "
        f"{wrong} rows differ")
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--length", type=int, default=65536,
                        help="bytes of text (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=5,
                        help="timed runs (default: %(default)s)")
    parser.add_argument("--folder", type=pathlib.Path, default="build/main-job",
                        help="for the arrays (default: %(default)s)")
    parser.add_argument("--lattn-run", default="build/bin/lattn-run")
    options, rest = parser.parse_known_args()  # the rest is for lattn-run
    if options.length < 1:
        parser.error("--length: expected at least 1")

    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    inputs, outputs = folder / "inputs.npz", folder / "output.npz"
    generator = np.random.default_rng(SEED)
    text, origin = read_text(options.length)
    say(f"{len(text)} bytes of {origin}")
    arrays = {name: embed(text, generator) for name in ("query", "key", "value")}
    np.savez(inputs, **arrays)
    say(f"embedded as query, key and value of {HEADS} heads of {SIZE}: {inputs}")

    outputs.unlink(missing_ok=True)
    command = [options.lattn_run, "examples/windowed_attention.mlir",
               f"--inputs={inputs}", f"--output={outputs}",
               f"--benchmark={options.runs}", "--explain", *rest]
    say(" ".join(map(str, command)))
    code = subprocess.run(command).returncode
    if code:
        say(f"lattn-run failed: exit code {code}")
        return 1

    with np.load(outputs) as file:
        output = file["output"]
    good = check(arrays, output, generator)
    say("the result is right" if good else "the result is WRONG")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
