"""Runs all generated cases, of which scripts/test runs a slice, and all tests with
sanitizers. That takes hours. Each step writes build/campaign/STEP.log. A step that
is done is not run again unless the sources change, so an interrupted campaign
continues. The exit code is 1 if a step failed.
"""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

LIT = "/usr/lib/llvm-22/bin/lit"
# What a test says that runs more of it in a campaign.
WHOLE = re.compile(r"(RUN|DEFINE):.*(%\{times100\}|%\{slices\})|%if !?campaign %")
# Lines of a log that count what ran.
COUNT = re.compile(r"\d+ (of \d+ )?(cases|programs|calls|files|kernels|passed)\b|"
                   r"^ *(Passed|Failed) *:|number_of_executed_units")


@dataclass
class Step:
    name: str
    command: str
    alone: bool = False  # not beside others

    def file(self, folder, suffix):
        return folder / (self.name.replace("/", ".") + suffix)


def list_steps(number):
    """Builds and all tests first, then what has many cases. `number` chooses
    other cases."""
    seed = number or "1"
    slice_ = f" --param slice={number}" if number else ""
    asan = "build-asan/test"
    steps = [
        Step("tests", "scripts/test", alone=True),
        Step("asan/build", "scripts/build asan all lattn-unit-tests", alone=True),
        Step("asan/tests", "ninja -C build-asan check-lattn", alone=True),
        Step("asan/sweep", f"{asan}/Integration/CPU/sweep/lattn-sweep "
             f"--seed={seed} --cases=1000"),
        Step("asan/fuzz-ir", f"scripts/fuzz ir --count 20000 --seed {seed}"),
        Step("asan/fuzz-npy", f"scripts/fuzz npy --seed {seed}"),
    ]
    for path in sorted(pathlib.Path("test").rglob("*")):
        if path.suffix in (".test", ".py", ".mlir") and \
                WHOLE.search(path.read_text()):
            name = str(path.relative_to("test"))
            steps.append(Step(name, f".venv/bin/python {LIT} -a -j1 --param slow=1 "
                              f"--param campaign=1{slice_} build/test/{name}"))
    return steps


def get_sources():
    """A name of the sources as they are."""
    text = b"".join(subprocess.run(["git", *arguments], capture_output=True,
                                   check=True).stdout
                    for arguments in (["rev-parse", "HEAD"], ["diff", "HEAD"]))
    return hashlib.sha256(text).hexdigest()


def run_step(step, folder, key):
    """Whether it is done, now or before."""
    record = step.file(folder, ".json")
    if record.exists() and json.loads(record.read_text())["key"] == key:
        print(f"{step.name}: done before", flush=True)
        return True
    log = step.file(folder, ".log")
    started = time.monotonic()
    with open(log, "w") as output:
        code = subprocess.run(["bash", "-c", step.command],
                              stdin=subprocess.DEVNULL, stdout=output,
                              stderr=subprocess.STDOUT).returncode
    seconds = time.monotonic() - started
    counts = [line.lstrip("# |").rstrip() for line in
              log.read_text(errors="replace").splitlines() if COUNT.search(line)]
    result = f"FAILED, see {log}" if code else "done"
    print(f"{step.name}: {result}, {seconds:.0f} s",
          *(f"    {line}" for line in counts[-6:]), sep="\n", flush=True)
    if code == 0:
        record.write_text(json.dumps({"key": key, "counts": counts}))
    return code == 0


def run_steps(steps, folder, key, jobs):
    """Returns how many fail."""
    folder.mkdir(parents=True, exist_ok=True)
    beside = [step for step in steps if not step.alone]
    done = [run_step(step, folder, key) for step in steps if step.alone]
    with ThreadPoolExecutor(jobs) as pool:
        done += pool.map(lambda step: run_step(step, folder, key), beside)
    print(f"{sum(done)} steps done, {len(done) - sum(done)} failed")
    return len(done) - sum(done)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", nargs="*", metavar="STEP",
                        help="a step that --list shows (default: all steps)")
    parser.add_argument("--list", action="store_true", help="print the names of the steps")
    parser.add_argument("--jobs", type=int, default=2,
                        help="how many steps run at a time (default: %(default)s)")
    parser.add_argument("--slice", default="", metavar="N",
                        help="generate other cases: seeds begin with this number")
    arguments = parser.parse_args()
    if arguments.slice and not arguments.slice.isdecimal():
        parser.error(f"--slice: expected a number, got '{arguments.slice}'")
    if arguments.jobs < 1:
        parser.error(f"--jobs: expected at least 1, got {arguments.jobs}")
    steps = list_steps(arguments.slice)
    names = [step.name for step in steps]
    for name in arguments.steps:
        if name not in names:
            parser.error(f"no step '{name}': --list shows all")
    if arguments.list:
        print(*names, sep="\n")
        return 0
    chosen = [step for step in steps
              if not arguments.steps or step.name in arguments.steps]
    folder = pathlib.Path("build/campaign")
    return 1 if run_steps(chosen, folder, get_sources() + arguments.slice,
                          arguments.jobs) else 0


if __name__ == "__main__":
    sys.exit(main())
