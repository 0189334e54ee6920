"""arrays.py make|compare FOLDER: arguments as F.npz and as bytes; the results
in bytes against those in a .npz."""

import os
import sys

import numpy as np

action, folder = sys.argv[1:]
if action == "make":
    os.makedirs(folder, exist_ok=True)
    random = np.random.default_rng(1)
    arrays = {name: random.standard_normal((2, 4, 300, 16), np.float32)
              for name in "qkv"}
    np.savez(os.path.join(folder, "in.npz"), **arrays)
    for name, array in arrays.items():
        array.tofile(os.path.join(folder, name + ".bin"))
else:
    expected = np.load(os.path.join(folder, "out.npz"))
    for name in "ol":
        path = os.path.join(folder, name + ".bin")
        same = np.fromfile(path, np.float32) == expected[name].ravel()
        assert same.all(), (name, np.flatnonzero(~same)[:10])
        os.remove(path)
    print("equal")
