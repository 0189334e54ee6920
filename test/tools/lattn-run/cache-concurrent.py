# RUN: rm -rf %t && mkdir %t
# RUN: %python %s lattn-run %S/cache-trouble.mlir %t

# Ten processes at once: on a cold cache, and on one that has room for one entry
# only, so that they remove what others look for. None is ever told a lie.

import os
import pathlib
import subprocess
import sys

tool, program, folder = sys.argv[1:]
folder = pathlib.Path(folder)


def start(i, cache, query_tile, **environment):
    output = folder / f"{i}.npz"
    command = [tool, program, "--random=1", f"--cache={cache}",
               f"--query-tile={query_tile}", f"--output={output}"]
    return output, subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)


def finish(runs):
    results = set()
    for output, process in runs:
        text = process.communicate()[0]
        assert process.returncode == 0 and "warning" not in text, text
        results.add(output.read_bytes())
    assert len(results) == 1


cold = folder / "cold"
finish([start(i, cold, 8) for i in range(10)])
[entry] = cold.iterdir()
finish([start(0, cold, 8)])

size = str(entry.stat().st_size + 1000)
small = folder / "small"
finish([start(i, small, (8, 16)[i % 2], LATTN_CACHE_SIZE=size)
        for i in range(10)])
assert len(list(small.iterdir())) <= 1
