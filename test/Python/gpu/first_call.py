"""First calls on GPUs, on a stand-in for the driver: which kernels they compile, at the
same time, and what a later process or another machine finds in the cache."""

# REQUIRES: slow
# RUN: %kernels
# RUN: %fake FAKECUDA_CAPABILITY=9.0 %pytest %s

import os
import pathlib
import shutil
import subprocess
import sys

import fake_gpu
import numpy as np
import pytest

import lattn
from lattn import _kernels, _lattn

torch = fake_gpu.Torch()

# In place of ptxas. With TOGETHER, it waits until so many have begun.
PTXAS = """#!/bin/sh
folder=$(dirname "$0")
touch "$folder/begun.$$"
i=0
while [ "$(ls "$folder" | grep -c begun)" -lt "${TOGETHER:-1}" ]; do
  i=$((i + 1))
  [ $i -lt 200 ] || { echo "error: alone"; exit 1; }
  sleep 0.1
done
grep -o 'entry [a-z_0-9]*' "$4" >> "$folder/log"
{ printf '\\177ELF'; head -c 124 /dev/zero; } > "$6"
"""


@pytest.fixture
def ptxas(monkeypatch, tmp_path):
    """Names of the kernels that are assembled."""
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(_kernels, "_kernels", {})
    _lattn.forget_kernels()
    program = tmp_path / "bin" / "ptxas"
    program.parent.mkdir()
    program.write_text(PTXAS)
    program.chmod(0o755)
    monkeypatch.setenv("LATTN_PTXAS", str(program))
    monkeypatch.setenv("LATTN_CACHE_DIR", str(tmp_path / "cache"))
    fake_gpu.take_calls()

    def take():
        log = program.parent / "log"
        names = sorted(line.split()[1] for line in log.read_text().splitlines()
                       ) if log.exists() else []
        log.unlink(missing_ok=True)
        return names
    yield take
    _lattn.forget_kernels()


def tensors(n, m=70, gap=0):
    """Rows of k and v lie `gap` elements apart."""
    made = [torch.tensor(np.zeros((2, 4, rows, 128 + space), np.float16),
                         torch.float16) for rows, space in ((n, 0), (m, gap), (m, gap))]
    return [x if x.shape[3] == 128 else x.as_strided(
        (*x.shape[:3], 128), x.stride(), 0) for x in made]


def launched():
    return sorted(call.split()[1] for call in fake_gpu.take_calls()
                  if call.startswith("cuLaunchKernel"))


def test_what_a_call_needs_is_compiled(ptxas):
    lattn.attention(*tensors(300), causal=True)
    first = ptxas()
    assert first == launched() == ["attention_kernel"]
    # Of other sizes, the same kernel.
    lattn.attention(*tensors(200, m=100), causal=True)
    assert ptxas() == [] and launched() == first
    # Tensor maps do not support such rows.
    lattn.attention(*tensors(300, gap=1), causal=True)
    unaligned = ptxas()
    assert unaligned == launched() and len(unaligned) == 1 and unaligned != first
    # One query: keys in parts.
    lattn.attention(*tensors(1), causal=True)
    parts = ptxas()
    assert parts == launched() and len(parts) == 2


def test_kernels_of_a_call_are_compiled_at_the_same_time(ptxas, monkeypatch):
    monkeypatch.setenv("TOGETHER", "2")
    lattn.set_num_threads(2)
    try:
        lattn.attention(*tensors(1), causal=True)
    finally:
        lattn.set_num_threads(None)
    assert len(ptxas()) == 2


def test_precompile(ptxas):
    description = dict(q=(2, 4, 300, 128), k=(2, 4, 70, 128), v=(2, 4, 70, 128),
                       dtype="float16", causal=True, device="cuda:0")
    assert lattn.precompile([description]) == 1
    assert len(ptxas()) == 1 and launched() == []
    assert lattn.precompile([description]) == 0
    lattn.attention(*tensors(300), causal=True)
    assert ptxas() == [] and launched() == ["attention_kernel"]


def test_no_rows_need_no_kernel(ptxas):
    lattn.attention(*tensors(0), causal=True)
    assert ptxas() == []


CHILD = """
import sys
import fake_gpu
import numpy as np
sys.modules["torch"] = torch = fake_gpu.Torch()
import lattn
lattn.attention(*(torch.tensor(np.zeros((1, 2, n, 128), np.float16), torch.float16)
                  for n in (int(sys.argv[1]), 70, 70)), causal=True)
print([call for call in fake_gpu.take_calls() if "cuLaunchKernel" in call])
"""


def run(n, cache, **environment):
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(n)], text=True, check=True,
        capture_output=True, env={**os.environ, "LATTN_CACHE_DIR": str(cache),
                                  **environment})
    return done.stdout.count("cuLaunchKernel"), done.stderr


def test_a_cache_serves_another_machine(ptxas, tmp_path):
    cache = tmp_path / "cache"
    assert run(300, cache) == (1, "")
    assert len(ptxas()) == 1
    carried = tmp_path / "elsewhere"
    shutil.copytree(cache, carried)
    files = sorted(os.listdir(carried))
    # With another CPU, another driver, and no ptxas.
    assert run(300, carried, LATTN_MCPU="x86-64", FAKECUDA_VERSION="13000",
               LATTN_PTXAS="/no/ptxas", FAKECUDA_DEVICES="1") == (1, "")
    assert ptxas() == [] and sorted(os.listdir(carried)) == files
    # Another chip has kernels of its own.
    assert run(300, carried, FAKECUDA_CAPABILITY="8.0") == (1, "")
    assert len(ptxas()) == 1 and len(os.listdir(carried)) == 2 * len(files)


def test_what_the_driver_refuses_is_compiled_again(ptxas, tmp_path):
    cache = tmp_path / "cache"
    ran, remarks = run(300, cache, LATTN_PTXAS="/no/ptxas")
    assert ran == 1 and "attention_kernel's PTX: cannot run '/no/ptxas'" in remarks
    # The same PTX is in the cache, and a ptxas is preferred to it.
    assert run(300, cache, LATTN_PTXAS="/no/ptxas")[1] == remarks
    assert run(300, cache) == (1, "") and len(ptxas()) == 1
    ran, remarks = run(300, cache, FAKECUDA_FAIL="cuModuleLoadDataEx#1=209")
    assert ran == 1 and ptxas() == ["attention_kernel"]
    assert "cuModuleLoadDataEx: CUDA_ERROR_NO_BINARY_FOR_GPU" in remarks
