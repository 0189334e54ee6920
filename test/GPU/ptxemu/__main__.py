"""Command line: lists kernels, or runs one on .npy files."""

import argparse
import sys

import numpy as np

from . import Fault, PTXError, load


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="ptxemu", description="Runs a kernel of a PTX file on the CPU. "
        "Without --kernel, lists the kernels and says what of them is not "
        "modelled.")
    parser.add_argument("file", help="PTX")
    parser.add_argument("args", nargs="*", help="of the kernel: a number, "
                        "FILE.npy (read only), or out:FILE.npy (written back)")
    parser.add_argument("--kernel")
    parser.add_argument("--grid", default="1", help="x,y,z")
    parser.add_argument("--block", default="1", help="x,y,z")
    parser.add_argument("--shared", type=int, default=0,
                        help="bytes of dynamic shared memory")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=20_000_000)
    parser.add_argument("--no-races", dest="races", action="store_false",
                        help="do not look for races in shared memory")
    return parser.parse_intermixed_args()


def kernel_argument(text):
    """(argument, file to write it to or None)"""
    if text.startswith("out:"):
        return np.load(text[4:]), text[4:]
    if text.endswith(".npy"):
        array = np.load(text)
        array.flags.writeable = False
        return array, None
    try:
        return int(text, 0), None
    except ValueError:
        return float(text), None


def sizes(text):
    return tuple(int(x) for x in text.split(","))


def list_kernels(module):
    bad = 0
    for name in module.kernels:
        params = module.ir.functions[name].params
        shown = ", ".join(f".{p.type}[{p.bytes}]" if p.array else f".{p.type}"
                          for p in params)
        try:
            module.check(name)
            print(f"{name}({shown})")
        except PTXError as error:
            bad = 1
            print(f"{name}({shown}): {error}")
    return bad


def run(options):
    with open(options.file) as f:
        module = load(f.read())
    if not options.kernel:
        return list_kernels(module)
    pairs = [kernel_argument(a) for a in options.args]
    result = module.launch(
        options.kernel, sizes(options.grid), sizes(options.block),
        [a for a, _ in pairs], options.shared, options.seed,
        races=options.races, steps=options.steps)
    for array, path in pairs:
        if path:
            np.save(path, array)
    print(f"{result.steps} steps")
    return 0


def main():
    try:
        return run(parse_arguments())
    except (Fault, PTXError, OSError, ValueError) as error:
        print(f"ptxemu: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
