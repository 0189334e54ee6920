"""Uses the package that was installed into the folder named."""

import importlib
import pathlib
import sys

import numpy as np

for other in ("torch", "triton"):
    try:
        importlib.import_module(other)
    except ImportError:
        print(f"without {other}")

import lattn  # noqa: E402

folder = pathlib.Path(sys.argv[1]).resolve()
assert folder in pathlib.Path(lattn.__file__).resolve().parents, lattn.__file__
assert (folder / f"lattn-{lattn.__version__}.dist-info").is_dir()
q, k, v = (np.random.default_rng(i).standard_normal((2, 3, 65, 16), "f4")
           for i in range(3))
s = np.einsum("bhid,bhjd->bhij", q, k) / 4
weights = np.exp(s - s.max(-1, keepdims=True))
expected = weights @ v / weights.sum(-1, keepdims=True)
np.testing.assert_allclose(lattn.attention(q, k, v), expected, 1e-5, 1e-5)
