"""Backward passes that are timed and predicted: those of space.toml, by their names
without the last word."""

import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER / "bundle"))

import space  # noqa: E402


def count_visible(length, left, right):
    """Pairs of a head."""
    left, right = (length if x is None else x for x in (left, right))
    return sum(min(length - 1, i + right) - max(0, i - left) + 1
               for i in range(length))


def count_flops(w):
    """Of a backward pass: five products of the visible pairs."""
    return 10 * w.D * w.B * w.H * count_visible(w.N, w.left, w.right)


GRADIENTS = {w.name.removesuffix(" backward"): w
             for w in space.read(FOLDER / "space.toml").workloads if w.backward}
