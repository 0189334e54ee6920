"""How many tiles of keys get a mask, against a count over all pairs:
edges.py LATTN_OPT

One tile of 64 queries at constant positions: the compiler folds its bounds.
"""

import itertools
import re
import subprocess
import sys

ROWS = 64


def cases():
    for keys, step, left, right, offset in itertools.product(
            (1, 63, 64, 65, 200, 333), (16, 48, 64), (None, 0, 1, 63, 64, 100),
            (None, 0, 7, 64), (-100, -70, 0, 1, 64, 137, 300)):
        if (left, right) != (None, None):
            yield keys, step, left, right, offset


def text(name, keys, left, right, offset):
    t = f"tensor<1x1x{ROWS}x16xbf16>"
    m = f"tensor<1x1x{keys}x16xbf16>"
    window = ", ".join(f"{k} = {v}" for k, v in
                       (("left", left), ("right", right)) if v is not None)
    return f"""func.func @{name}(%q: {t}, %k: {m}, %v: {m}, %o: {t}) -> {t} {{
  %at = arith.constant {offset} : i64
  %0 = lattn.attention query(%q : {t}) key(%k : {m}) value(%v : {m})
      offset(%at : i64) outs(%o : {t}) {{window = #lattn.window<{window}>}}
  return %0 : {t}
}}
"""


def count(body, step):
    """(tiles with a mask, tiles without) that the runs of a function visit."""
    constants = {name: int(value) for name, value in re.findall(
        r"(%\S+) = arith\.constant (-?\d+) : index", body)}
    sweep = re.search(rf"lattn\.sweep_keys .* in \((.*)\) by {step} ", body)
    if not sweep:
        return 0, 0
    words = sweep[1].split()
    tiles = {"edge": 0, "interior": 0}
    for first, run, last in zip(words[::2], words[1::2], words[2::2]):
        keys = constants[last] - constants[first]
        tiles[run] += max(0, -(-keys // step))
    return tiles["edge"], tiles["interior"]


def expect(keys, step, left, right, offset):
    """The same from what each query sees."""
    def sees(i, j):
        p = offset + i
        return ((left is None or p - left <= j) and
                (right is None or j <= p + right))
    seen = [j for j in range(keys) if any(sees(i, j) for i in range(ROWS))]
    masked = plain = 0
    for first in range(seen[0], seen[-1] + 1, step) if seen else ():
        whole = first + step <= seen[-1] + 1 and all(
            sees(i, j) for i in (0, ROWS - 1) for j in range(first, first + step))
        plain += whole
        masked += not whole
    return masked, plain


def main():
    lattn_opt = sys.argv[1]
    wrong = total = 0
    for step in (16, 48, 64):
        chosen = [c for c in cases() if c[1] == step]
        module = "".join(text(f"f{n}", keys, left, right, offset)
                         for n, (keys, _, left, right, offset)
                         in enumerate(chosen))
        tiled = subprocess.run(
            [lattn_opt, "-", f"--lattn-tile=gpu query-tile={ROWS} key-tile={step}",
             "--canonicalize", "--cse"], input=module, capture_output=True,
            text=True, check=True).stdout
        bodies = re.split(r"func\.func @f\d+", tiled)[1:]
        for case, body in zip(chosen, bodies, strict=True):
            got, want = count(body, step), expect(*case)
            total += 1
            if got != want:
                wrong += 1
                if wrong <= 5:
                    print(f"keys, step, left, right, offset = {case}: "
                          f"(masked, plain) {got}, expected {want}")
    print(f"{total} tiles, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
