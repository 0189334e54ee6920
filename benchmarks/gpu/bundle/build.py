"""Compiles kernels and writes the folder."""

import concurrent.futures
import dataclasses
import hashlib
import json
import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import assemble
import text
from errors import Failed

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import predict as model  # noqa: E402

DEVICE = pathlib.Path(__file__).parent / "device"
FORMAT = 3
# What lattn-choose-gpu-tiles takes of a kernel's options.
TILE_OPTIONS = ("query-tile", "key-tile", "warps", "stages")


@dataclasses.dataclass(frozen=True)
class Tools:
    compiler: str
    opt: str
    assemblers: dict      # ptxas by version


def run_compiler(compiler, kernel, folder):
    """(path of PTX, launch record)"""
    output, record = folder / "kernel.ptx", folder / "launch.json"
    options = " ".join(f"{name}={value}" for name, value in kernel.options)
    done = subprocess.run(
        [compiler, "-", "-o", output, "--emit=ptx", f"--chip={kernel.chip}",
         f"--gpu-options={options}", f"--launch-record={record}"],
        input=text.attention(kernel.workload), capture_output=True, text=True)
    if done.returncode < 0:
        raise RuntimeError(f"{compiler} died of signal {-done.returncode} at "
                           f"{kernel.id}: {done.stderr.strip()}")
    if done.returncode:
        raise Failed(done.stderr.strip().splitlines()[0])
    return output, json.loads(record.read_text())


def predict(opt, kernel, workload):
    """Cycles by the compiler's model of warpgroups, or None."""
    options = {"warps": 0} | {name: value for name, value in kernel.options
                              if name in TILE_OPTIONS}
    tiles = " ".join(f"{name}={value}" for name, value in options.items())
    done = subprocess.run(
        [opt, "-", "--lattn-raise-memrefs", "--lattn-choose-gpu-tiles="
         f"chip=sm_90a {tiles}",
         "--remarks-filter=lattn-choose-gpu-tiles"],
        input=text.workload(workload), capture_output=True, text=True)
    match = re.search(r"Cycles=(\d+)", done.stderr)
    return int(match[1]) if done.returncode == 0 and match else None


def predict_ms(opt, kernel, workload):
    if "query-tile" not in dict(kernel.options):
        return model.predict(opt, workload)[1]
    cycles = predict(opt, kernel, workload)
    return cycles and model.to_ms(cycles, workload.B * workload.H)


def write_code(out, name, data):
    (out / name).write_bytes(lzma.compress(data, preset=9))
    return {"file": name, "sha256": hashlib.sha256(data).hexdigest()}


def compile_kernel(tools, kernel, workloads, out, keep_ptx):
    """The manifest's entry; its files are written."""
    entry = {"id": kernel.id, "family": kernel.workload.family,
             "chip": kernel.chip, "role": kernel.role,
             "options": dict(kernel.options), "code": [], "predicted": {}}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        ptx, record = run_compiler(tools.compiler, kernel, folder)
        for (major, minor), ptxas in sorted(tools.assemblers.items()):
            cubin, entry["ptxas"] = assemble.assemble(
                ptxas, ptx, kernel.chip, folder / "kernel.cubin")
            name = f"kernels/{kernel.id}.cuda{major}.cubin.xz"
            entry["code"].append({"cuda": [major, minor],
                                  **write_code(out, name, cubin)})
        if keep_ptx:
            entry["ptx"] = write_code(out, f"kernels/{kernel.id}.ptx.xz",
                                      ptx.read_bytes())
    entry["function"] = record["functions"][0]
    if kernel.chip == "sm_90a":
        entry["predicted"] = {w.name: predict_ms(tools.opt, kernel, w)
                              for w in workloads}
    return entry


def compile_all(tools, space, kernels, out, jobs, keep_ptx, tick):
    """(entries, those left out with reasons), in the order of `kernels`."""
    entries, skipped = [], []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(compile_kernel, tools, k,
                               space.timed(k.workload.family), out, keep_ptx)
                   for k in kernels]
        try:
            for future in concurrent.futures.as_completed(futures):
                if future.exception() and not isinstance(future.exception(),
                                                         Failed):
                    raise future.exception()
                tick()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    for kernel, future in zip(kernels, futures):
        if future.exception():
            skipped.append({"id": kernel.id, "family": kernel.workload.family,
                            "chip": kernel.chip, "options": dict(kernel.options),
                            "reason": str(future.exception())})
        else:
            entries.append(future.result())
    return entries, skipped


def measure_folder(folder):
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())


def make_manifest(space, entries, skipped):
    families = {w.family: {"D": w.D, "Dv": w.Dv, "dtype": w.dtype,
                           "left": w.left, "right": w.right, "backward": w.backward}
                for w in space.workloads}
    workloads = [dataclasses.asdict(w) | {"family": w.family}
                 for w in space.workloads]
    return {"format": FORMAT, "families": families, "workloads": workloads,
            "checks": space.checks, "ragged": space.ragged, "kernels": entries,
            "skipped": skipped}


def build(tools, space, chips, out, jobs, keep_ptx, limit, tick):
    """Writes `out` whole or not at all, and returns the manifest."""
    kernels = list(space.kernels(chips))
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        made = pathlib.Path(folder) / "bundle"
        shutil.copytree(DEVICE, made,
                        ignore=shutil.ignore_patterns("__pycache__"))
        (made / "kernels").mkdir()
        entries, skipped = compile_all(tools, space, kernels, made, jobs,
                                       keep_ptx, tick)
        if not entries:
            raise RuntimeError(f"no kernel was compiled: {skipped[0]['id']}: "
                               f"{skipped[0]['reason']}")
        manifest = make_manifest(space, entries, skipped)
        (made / "manifest.json").write_text(
            json.dumps(manifest, separators=(",", ":")) + "\n")
        size = measure_folder(made)
        if size > limit:
            raise RuntimeError(f"the bundle has {size / 2**20:.1f} MiB, more than "
                               f"{limit / 2**20:.0f}: choose fewer --chip")
        made.rename(out)
    return manifest, size
