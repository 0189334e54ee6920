"""space.py BUNDLE FILE: what benchmarks/gpu/space.toml asks for, without compiling."""

import collections
import sys

sys.path.insert(0, sys.argv[1])

import space  # noqa: E402

chosen = space.read(sys.argv[2])
kernels = list(chosen.kernels(["sm_90a"]))
assert len({k.id for k in kernels}) == len(kernels)
roles = collections.Counter((k.workload.family, k.role) for k in kernels)
for workload in chosen.workloads:
    assert roles[workload.family, "model"] == 1, roles
    if workload.N:
        forward = not workload.backward
        assert roles[workload.family, "variant"] == 2 * forward, roles
        assert roles[workload.family, "tuning"] >= 20 * forward, roles
    else:
        assert roles[workload.family, "tuning"] == 0, roles
for sizes, items in (({"B": 1, "H": 4, "Hkv": 2, "N": 193}, 2 * 3),
                     ({"B": 2, "H": 4, "Hkv": 4, "N": 192}, 8)):
    assert space.count_items(sizes) == items, sizes
backward = sum(w.backward for w in chosen.workloads)
print(f"{len(kernels)} kernels, {backward} backward workloads, "
      f"{space.count_items(chosen.ragged)} items")
