"""Writes the corpus: programs as linalg on tensors, the front ends' results, and
what raising is to find. Needs torch, torch-mlir, local-attention and jax:

    .venv/bin/python test/Raise/corpus/export.py [NAME...]

With names, only those are written again.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import torch
import torch_mlir
from corpus import MANIFEST, PROGRAMS, RESULTS, make_inputs
from torch_mlir import fx


def to_list(results):
    results = results if isinstance(results, (tuple, list)) else [results]
    return [np.asarray(x) for x in results]


def export_torch(program):
    torch.manual_seed(0)
    module = program.build().eval()
    for part in module.modules():  # torch-mlir does not find the others
        part._non_persistent_buffers_set.clear()
    arrays = make_inputs(program.name, program.inputs)
    inputs = [torch.from_numpy(array) for array in arrays]
    more = {} if program.dynamic is None else {"dynamic_shapes": program.dynamic}
    with torch.no_grad():
        text = str(fx.export_and_import(module, *inputs, **more,
                                        output_type="linalg-on-tensors"))
        return text, to_list(module(*inputs))


# The converter of StableHLO that the wheel of torch-mlir brings.
STABLEHLO = ("builtin.module(inline,symbol-dce,canonicalize,cse,"
             "stablehlo-legalize-to-linalg,canonicalize,cse)")


def export_jax(program):
    import jax
    function = jax.jit(program.build())
    inputs = make_inputs(program.name, program.inputs)
    lowered = function.lower(*inputs).as_text()
    folder, = torch_mlir.__path__
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(lowered)
        file.flush()
        text = subprocess.run(
            [pathlib.Path(folder, "_mlir_libs/torch-mlir-opt"), file.name,
             f"--pass-pipeline={STABLEHLO}"], check=True, text=True,
            capture_output=True).stdout
    text = re.sub(r"module @\w+ attributes \{mhlo[^}]*\}", "module", text)
    text = re.sub(r" \{jax.result_info = \"[^\"]*\"\}", "", text)
    return text, to_list(function(*inputs))


def write(program, export, manifest, results):
    text, arrays = export(program)
    (PROGRAMS / f"{program.name}.mlir").write_text(text)
    manifest[program.name] = {
        "inputs": [[list(shape), kind] for shape, kind in program.inputs],
        "windows": program.windows, "tolerance": program.tolerance}
    for key in [key for key in results if key.rpartition(".")[0] == program.name]:
        del results[key]
    for i, array in enumerate(arrays):
        results[f"{program.name}.{i}"] = array
    print(f"{program.name}: {len(text)} bytes", flush=True)


def main(chosen):
    import jax_programs
    import torch_lookalikes
    import torch_models
    import torch_plain
    import torch_windows
    programs = [(program, export_torch)
                for file in (torch_plain, torch_windows, torch_lookalikes,
                             torch_models) for program in file.PROGRAMS]
    programs += [(program, export_jax) for program in jax_programs.PROGRAMS]
    manifest, results = {}, {}
    if chosen:
        manifest = json.loads(MANIFEST.read_text())
        with np.load(RESULTS) as stored:
            results = dict(stored)
    for program, export in programs:
        if not chosen or program.name in chosen:
            write(program, export, manifest, results)
    lines = [f"  {json.dumps(name)}: {json.dumps(manifest[name])}"
             for name in sorted(manifest)]
    MANIFEST.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    np.savez_compressed(RESULTS, **results)


if __name__ == "__main__":
    main(sys.argv[1:])
