"""Compares fit.py's model with the cycles that the compiler predicts."""

import itertools
import pathlib
import sys

root = pathlib.Path(sys.argv[1]) / "benchmarks" / "gpu"
sys.path[:0] = [str(root), str(root / "bundle")]

import build  # noqa: E402
import fit  # noqa: E402
import space  # noqa: E402

count = 0
chosen = space.read(root / "h100.toml")
by_name = {w.name: w for w in chosen.workloads}
for name, (query, key) in itertools.product(
        ("D64 full 16k", "D128 causal 16k", "D64 left 1024 GQA 64:8 32k",
         "D128 left 4096 32k"),
        ((64, 64), (128, 112), (128, 128), (192, 80), (192, 112))):
    workload = by_name[name]
    kernel = space.Kernel(workload, "sm_90a", "tuning",
                          (("query-tile", query), ("key-tile", key), ("stages", 2)))
    expected = build.predict(sys.argv[2], kernel, workload)
    groups, together = query // 64, 2 if query == 64 else 1
    got = fit.predict(  # of one head
        fit.KEPT, workload.D, key, groups, together,
        *fit.count_steps(workload.N, workload.left, workload.right, query, key))
    assert abs(got / expected - 1) < 1e-3, (name, query, key, got, expected)
    count += 1
print(f"{count} predictions agree")
