"""Writes the arrays of lattn-run's tests to a folder: make.py FOLDER."""
import pathlib
import sys

import numpy as np

out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
rng = np.random.default_rng(0)

# Attention over the keys i-5..i, and what it gives.
n, d = 37, 16
q, k, v = [rng.standard_normal((1, 2, n, d)).astype(np.float32)
           for _ in range(3)]
scores = np.einsum("bhqd,bhkd->bhqk", q.astype(np.float64), k) * d ** -0.5
i, j = np.arange(n)[:, None], np.arange(n)[None]
scores = np.where((j >= i - 5) & (j <= i), scores, -np.inf)
weights = np.exp(scores - scores.max(-1, keepdims=True))
o = (weights / weights.sum(-1, keepdims=True) @ v).astype(np.float32)
np.savez(out / "in.npz", q=q, k=k, v=v)
np.savez(out / "out.npz", o=o)
wrong = o.copy()
wrong[0, 1, 3, 2] = 7
np.savez(out / "wrong.npz", o=wrong)
for name, array in dict(q=q, k=k, v=v).items():
    np.save(out / f"{name}.npy", array)

np.savez(out / "missing.npz", q=q, k=k)
np.savez(out / "extra.npz", q=q, k=k, v=v, w=v)
np.savez(out / "f64.npz", q=q.astype(np.float64), k=k, v=v)
np.savez(out / "shape.npz", q=q[:, :1], k=k, v=v)
np.save(out / "fortran.npy", np.asfortranarray(q))
np.save(out / "object.npy", np.array([None, 1], dtype=object),
        allow_pickle=True)
for name in ["q.npy", "in.npz"]:
    data = (out / name).read_bytes()
    (out / ("short-" + name)).write_bytes(data[:len(data) // 2])

np.savez(out / "empty.npz", **{name: np.zeros((0, 2, n, d), np.float32)
                               for name in "qkv"})
np.savez(out / "mixed.npz", arg0=np.arange(5, dtype=np.float32),
         arg1=np.float32(1.5), arg2=np.int32(-7), arg3=np.int64(9),
         arg4=np.bool_(True))
np.savez(out / "bf16.npz",
         arg0=np.arange(12, dtype=np.uint16).reshape(3, 4).view("V2"))
