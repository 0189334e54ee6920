# RUN: rm -rf %t && mkdir %t
# RUN: %python %s lattn-run %lattn_src/examples/windowed_attention.mlir %t
# REQUIRES: slow
# UNSUPPORTED: sanitizer

# Signals, full disks, no memory: no crash, no half-written file, and a message
# that says what is wrong.

import pathlib
import resource
import signal
import subprocess
import sys
import time

tool, program, folder = sys.argv[1:]
folder = pathlib.Path(folder)


def get_command(positions, *options):
    return [tool, program, "--random=1", *options] + [
        f"--shape={name}:1x1x{positions}x64"
        for name in ("query", "key", "value")]


def interrupt(number, when):
    """Ends a long run `when` its cache is as asked for."""
    cache, output = folder / f"cache-{number}-{when}", folder / "long.npz"
    process = subprocess.Popen(
        get_command(20000, "--benchmark=1000000", f"--cache={cache}",
                    f"--output={output}"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # A shell may have made its background jobs deaf.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    while not (cache.exists() if when == "compiling"
               else list(cache.glob("*.lattn"))):
        assert process.poll() is None, process.communicate()
        time.sleep(0.001)
    process.send_signal(number)
    try:
        errors = process.communicate(timeout=60)[1]
    finally:
        process.kill()
    assert process.returncode == -number, process.returncode
    assert errors == "", errors
    assert not output.exists()
    names = [path.name for path in cache.iterdir()]
    assert all(name.endswith(".lattn") for name in names), names


for number in (signal.SIGINT, signal.SIGTERM):
    for when in ("compiling", "running"):
        interrupt(number, when)


def run(options, limit=None, size=None):
    process = subprocess.run(
        options, text=True, capture_output=True,
        preexec_fn=limit and (lambda: resource.setrlimit(limit, (size, size))))
    return process.returncode, process.stdout, process.stderr


# A full disk, as a limit of files' sizes.
output = folder / "out.npz"
output.write_text("before")
code, report, errors = run(
    get_command(400, f"--cache={folder / 'full'}", f"--output={output}"),
    resource.RLIMIT_FSIZE, 4096)
assert code == 1 and "run time" in report, (code, report, errors)
first, second = errors.splitlines()
assert first.startswith("lattn: warning: cache '"), first
assert first.endswith("full': File too large"), first
assert second.startswith("lattn-run: error: cannot write '"), second
assert second.endswith("File too large"), second
assert output.read_text() == "before"
assert list((folder / "full").iterdir()) == []
left = [path.name for path in folder.iterdir() if path.is_file()]
assert left == ["out.npz"], left

# Arrays that no machine has room for.
code, report, errors = run(get_command(10**12, "--cache=off"))
assert code == 1, code
assert errors == (
    "lattn-run: error: argument 'query' (tensor<?x?x?x64xf32>): "
    "cannot allocate 256000000000000 bytes\n"), errors

# Less memory than is needed: for arguments, for what compiled code allocates,
# for copies.
command = get_command(2**17, f"--cache={folder / 'warm'}", "--threads=1")
assert run(command)[0] == 0
MIB = 1 << 20
seen = set()
for size in range(400 * MIB, 1024 * MIB, 24 * MIB):
    code, report, errors = run(command, resource.RLIMIT_AS, size)
    if code == 0:
        break
    assert code == 1 and "\n" not in errors.rstrip("\n"), (code, errors)
    for text in ("cannot allocate 33554432 bytes",
                 "out of memory: compiled code asked for 335"):
        if text in errors:
            seen.add(text)
            break
    else:
        raise AssertionError(errors)
assert code == 0 and len(seen) == 2, (code, seen)
