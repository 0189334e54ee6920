"""Prints a file of bytecode of version 1.6 as one of another version:

    python edit.py FILE.mlirbc 2.0"""

import sys


def encode(number: int) -> int:
    """A number below 128 as MLIR writes it."""
    return number << 1 | 1


def main() -> None:
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    # Section 7, of two bytes: the version.
    written = bytes([7, encode(2), encode(1), encode(6)])
    assert data.count(written) == 1
    version = map(encode, map(int, sys.argv[2].split(".")))
    sys.stdout.buffer.write(
        data.replace(written, written[:2] + bytes(version)))


if __name__ == "__main__":
    main()
