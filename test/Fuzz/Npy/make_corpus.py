"""Writes a few valid files to a folder, for lattn-fuzz-npy to begin with."""

import io
import pathlib
import sys

import numpy as np


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    arrays = [np.arange(6, dtype="<f4").reshape(2, 3), np.zeros((), "<f8"),
              np.ones((3, 0, 2), "<f2"), np.array([True, False]),
              np.arange(4, dtype="<i8"), np.arange(3, dtype="u1"),
              np.zeros((2,), "V2"), np.asfortranarray(np.ones((2, 2), "<i4"))]
    for i, array in enumerate(arrays):
        npy = io.BytesIO()
        np.save(npy, array)
        npy = npy.getvalue()
        (folder / f"npy-{i}").write_bytes(b"n" + npy)
        (folder / f"dict-{i}").write_bytes(b"h" + npy[10:].lstrip())
        (folder / f"entry-{i}").write_bytes(b"e" + npy)
    for name, save in ("stored", np.savez), ("deflated", np.savez_compressed):
        npz = io.BytesIO()
        save(npz, a=arrays[0], b=arrays[1], long_name=arrays[4])
        (folder / name).write_bytes(b"z" + npz.getvalue())
        if save is np.savez_compressed:
            packed = npz.getvalue()
            start = packed.index(b"a.npy") + 5 + packed[28]
            (folder / "entry-deflated").write_bytes(b"d\x13" + packed[start:])


main(sys.argv[1])
