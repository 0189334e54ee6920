# REQUIRES: host-v2
# RUN: env LATTN_MCPU=x86-64-v2 %python %s

# CPUs without F16C convert float16 by functions of the compiler's runtime, which
# a Python process need not have: the library brings them.

import numpy as np
import lattn

q, k, v = np.random.default_rng(5).standard_normal((3, 1, 2, 50, 24))
wide = lattn.attention(*(x.astype(np.float16).astype(np.float32)
                         for x in (q, k, v)), window=(30, 5))
half = lattn.attention(*(x.astype(np.float16) for x in (q, k, v)),
                       window=(30, 5))
assert half.dtype == np.float16
# float32 inside: one rounding of each output.
assert np.allclose(half, wide, rtol=2**-10, atol=1e-4)
