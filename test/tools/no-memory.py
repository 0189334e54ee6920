# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %t lattn-opt lattn-compile lattn-run
# REQUIRES: slow
# UNSUPPORTED: sanitizer

# Where MLIR gets no memory the tools say so in a line, and leave no file. Some
# of it writes to what malloc gave it without a look, some runs in a thread that
# is not there. A sanitizer reserves more addresses than the limit allows.

import pathlib
import resource
import subprocess
import sys

folder, optimizer, compiler, runner = map(pathlib.Path, sys.argv[1:])
program, output = folder / "large.mlir", folder / "out"
t = "tensor<1x8x64x64xf32>"
program.write_text("".join(
    f"func.func @f{i}(%q: {t}, %k: {t}, %v: {t}, %o: {t}) -> {t} {{\n"
    f"  %0 = lattn.attention query(%q : {t}) key(%k : {t}) value(%v : {t})\n"
    f"      outs(%o : {t}) {{window = #lattn.window<left = 9, right = 0>}}\n"
    f"  return %0 : {t}\n}}\n" for i in range(3000)))
MIB = 1 << 20


def run(size, tool, *options):
    process = subprocess.run(
        [tool, program, *options], text=True, capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
    return process.returncode, process.stderr.splitlines()


def check(tool, *options):
    seen = 0
    for size in (324 * MIB, 348 * MIB, 372 * MIB):
        code, errors = run(size, tool, *options)
        if code == 127:  # the loader did not get as far as main
            continue
        assert code == 1 and len(list(folder.iterdir())) == 1, (size, code, errors)
        if errors[-1] == f"{tool.name}: error: out of memory":
            seen += 1
            del errors[-1]
        assert not errors or "Cannot allocate memory" in errors[0] or \
            errors[0].startswith("LLVM ERROR: pthread_create"), (size, errors)
        assert len(errors) <= 1, (size, errors)
    assert seen > 1, seen


check(optimizer, "--lattn-to-loops", f"-o={output}")
check(compiler, f"-o={output}")
check(runner, "--entry=f0", "--random=1", "--cache=off", f"--output={output}.npz")
