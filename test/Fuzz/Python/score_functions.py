"""Random functions for score_mod and mask_mod, which symbols and NumPy's arrays
alike can be given to."""

import numpy as np

SIZE = 7  # of captured arrays' axes


def make_integer(rng, depth):
    """Text of small integers: what they do is exact, in 32 bits too."""
    if depth == 0:
        return str(rng.choice(["b", "h", "i", "j", str(rng.integers(-9, 10)),
                               "ids[h % 7, np.clip(i - j, 0, 6)]"]))
    x, y, z = (make_integer(rng, depth - 1) for _ in range(3))
    return str(rng.choice([
        f"({x} + {y})", f"({x} - {y})", f"({x} * {rng.integers(-3, 4)})",
        f"({x} // ({y} + 0 * i))", f"({x} % ({y} + 0 * i))", f"({x} // {rng.choice([-3, 2, 5, 8])})",
        f"abs({x})", f"(-{x})", f"(~{x})", f"({x} & {y})", f"({x} | {y})",
        f"({x} ^ {y})", f"({x} >> {rng.integers(0, 4)})",
        f"np.minimum({x}, {y})", f"np.maximum({x}, {y})",
        f"np.where({make_condition(rng, depth - 1)}, {y}, {z})"]))


def make_condition(rng, depth):
    x, y = (make_integer(rng, depth) for _ in range(2))
    comparison = f"({x} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {y})"
    if depth == 0:
        return comparison
    other = make_condition(rng, depth - 1)
    return str(rng.choice([comparison, f"({comparison} & {other})",
                           f"({comparison} | {other})", f"(~{comparison})",
                           f"({comparison} ^ {other})"]))


def make_number(rng, depth):
    """Text of a smooth function of the score."""
    if depth == 0:
        # NumPy would compute with elements of a narrower type in that type.
        return str(rng.choice([
            "s", "s", "0.5", "(scale + 0 * s)",
            "(table[abs(j) % 7, np.clip(h, 0, 6)] + 0 * s)"]))
    x, y = (make_number(rng, depth - 1) for _ in range(2))
    small = f"np.tanh(({make_integer(rng, depth - 1)}) / 8)"
    return str(rng.choice([
        f"({x} + {y})", f"({x} - {y})", f"({x} * 0.5)", f"({x} + {small})",
        f"np.tanh({x})", f"np.exp(-abs({x}))", f"np.log1p(abs({x}))",
        f"np.sqrt({x} * {x} + 1)", f"np.sin({x})", f"np.clip({x}, -2, 2.5)",
        f"({x} / ({y} * {y} + 1))", f"np.maximum({x}, {y})",
        f"np.where({make_condition(rng, depth - 1)}, {x}, {y})"]))


def make_functions(rng):
    """(score_mod, mask_mod)"""
    names = {
        "np": np, "scale": np.array(rng.random(), "f4"),
        "ids": rng.integers(-3, 4, (SIZE, SIZE)).astype(
            rng.choice(["i1", "i4", "i8"])),
        "table": rng.standard_normal((SIZE, SIZE)).astype(
            rng.choice(["f4", "f8", "f2"]))}
    score = f"lambda s, b, h, i, j: s + {make_number(rng, 3)}"
    mask = f"lambda b, h, i, j: (j == 0) | {make_condition(rng, 2)}"
    return eval(score, names), eval(mask, names)
