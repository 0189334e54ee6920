"""Compiles kernels and writes the folder."""

import concurrent.futures
import dataclasses
import hashlib
import json
import lzma
import pathlib
import shutil
import subprocess
import tempfile

import text

DEVICE = pathlib.Path(__file__).parent / "device"
FORMAT = 1


class Failed(Exception):
    """A kernel that the compiler refuses, for a reason that it names."""


def run_compiler(compiler, kernel, emit, folder):
    """(bytes, launch record)"""
    output, record = folder / f"kernel.{emit}", folder / "launch.json"
    options = " ".join(f"{name}={value}" for name, value in kernel.options)
    done = subprocess.run(
        [compiler, "-", "-o", output, f"--emit={emit}", f"--chip={kernel.chip}",
         f"--gpu-options={options}", f"--launch-record={record}"],
        input=text.attention(kernel.workload), capture_output=True, text=True)
    if done.returncode < 0:
        raise RuntimeError(f"{compiler} died of signal {-done.returncode} at "
                           f"{kernel.id}: {done.stderr.strip()}")
    if done.returncode:
        raise Failed(done.stderr.strip().splitlines()[0])
    return output.read_bytes(), json.loads(record.read_text())


def compile_kernel(compiler, kernel, out, keep_ptx):
    """The manifest's entry; its files are written."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        cubin, record = run_compiler(compiler, kernel, "cubin", folder)
        ptx = run_compiler(compiler, kernel, "ptx", folder)[0] if keep_ptx else b""
    entry = {"id": kernel.id, "family": kernel.workload.family,
             "chip": kernel.chip, "options": dict(kernel.options),
             "cubin": f"kernels/{kernel.id}.cubin.xz",
             "sha256": hashlib.sha256(cubin).hexdigest(),
             "function": record["functions"][0], "ptxas": record["kernels"]}
    (out / entry["cubin"]).write_bytes(lzma.compress(cubin, preset=9))
    if keep_ptx:
        entry["ptx"] = f"kernels/{kernel.id}.ptx.xz"
        (out / entry["ptx"]).write_bytes(lzma.compress(ptx, preset=9))
    return entry


def compile_all(compiler, kernels, out, jobs, keep_ptx, tick):
    """(entries, those left out with reasons), in the order of `kernels`."""
    entries, skipped = [], []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(compile_kernel, compiler, k, out, keep_ptx)
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


def build(compiler, space, chips, out, jobs, keep_ptx, limit, tick):
    """Writes `out` whole or not at all, and returns the manifest."""
    kernels = list(space.kernels(chips))
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        made = pathlib.Path(folder) / "bundle"
        shutil.copytree(DEVICE, made,
                        ignore=shutil.ignore_patterns("__pycache__"))
        (made / "kernels").mkdir()
        entries, skipped = compile_all(compiler, kernels, made, jobs, keep_ptx,
                                       tick)
        if not entries:
            raise RuntimeError(f"no kernel was compiled: {skipped[0]['id']}: "
                               f"{skipped[0]['reason']}")
        families = {w.family: {"D": w.D, "Dv": w.Dv, "dtype": w.dtype,
                               "left": w.left, "right": w.right}
                    for w in space.workloads}
        workloads = [dataclasses.asdict(w) | {"family": w.family}
                     for w in space.workloads if w.N]
        manifest = {"format": FORMAT, "families": families,
                    "workloads": workloads, "checks": space.checks,
                    "kernels": entries, "skipped": skipped}
        (made / "manifest.json").write_text(
            json.dumps(manifest, separators=(",", ":")) + "\n")
        size = measure_folder(made)
        if size > limit:
            raise RuntimeError(f"the bundle has {size / 2**20:.1f} MiB, more than "
                               f"{limit / 2**20:.0f}: choose fewer --chip")
        made.rename(out)
    return manifest, size
