"""dry_run.py DEVICE_FOLDER OUT LIBCUDA CC: the whole run on a stand-in for the
driver, with kernels that hang, crash and break the driver's context; a budget that
ends; a run that is killed; and the runs that go on where they ended."""

import json
import os
import pathlib
import subprocess
import sys
import time
import types

import fake_bundle

STEPS = ["machine", "model", "peers", "variants", "tuning", "ncu", "others",
         "sanitizer"]
EXPECTED = {"hangs": "hung", "sticks": "error", "refuses": "error",
            "crashes": "died", "writes nothing": "wrong", "is unsteady": "wrong",
            "has one wrong number": "wrong"}

device, out, library, compiler = map(pathlib.Path, sys.argv[1:])
source = pathlib.Path(__file__).with_name("attention_kernel.c")
manifest = fake_bundle.make(device, out, source, compiler)
results = out / "results"


def names(fault):
    return [name for name, what in fake_bundle.FAULTS.items() if what == fault]


def make_environment(**more):
    return os.environ | {
        "LATTN_LIBCUDA": str(library), "FAKECUDA_KERNELS": str(out / "kernels.so"),
        "FAKECUDA_CAPABILITY": "9.0", "FAKECUDA_VERSION": "13000",
        "FAKECUDA_STICKY": ",".join(f"{n}=700" for n in names("sticks")),
        "FAKECUDA_FAIL": ",".join(f"{n}=1" for n in names("refuses")),
        "PATH": f"{out}/tools:{os.environ['PATH']}"} | more


def command(*options, folder=results):
    return [sys.executable, "-B", str(out / "run.py"), "--arrays=numpy",
            f"--out={folder}", *options]


def run(*options, folder=results, **environment):
    done = subprocess.run(command(*options, folder=folder), capture_output=True,
                          text=True, env=make_environment(**environment))
    if done.returncode not in (0, 1):
        print(done.stdout, done.stderr)
    return done


def read(folder=results):
    return [json.loads(line) for line in
            (folder / "results.jsonl").read_text().splitlines()]


def check_budget():
    """The third kernel hangs: the budget ends before its watchdog does."""
    begin = time.monotonic()
    done = run("--budget=8")
    took = time.monotonic() - begin
    lines = read()
    assert took < 14, took       # killing and a report
    assert lines[-1]["key"] == "end", lines[-1]
    assert lines[-1]["reason"] == "the budget is used up", lines[-1]
    assert lines[-1]["seconds"] <= 10, lines[-1]
    assert not any(l.get("kernel") == "c.c_model.sm_90a" for l in lines), lines
    assert done.returncode == 0 and "the budget is used up" in done.stdout
    print(f"budget: {len(lines)} lines")


def check_kill():
    """Killed among kernels, a line cut in the middle."""
    before = len(read())
    process = subprocess.Popen(command("--watchdog=3"), env=make_environment(),
                               stderr=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL)
    while len(read()) < before + 8:
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.wait()
    text = (results / "results.jsonl").read_text()
    assert text.endswith("\n")
    for line in text.splitlines():
        json.loads(line, parse_constant=lambda name: 1 / 0)
    report = run("--report")
    assert "### first" in report.stdout, report
    with open(results / "results.jsonl", "a") as file:
        file.write('{"key": "machi')
    print("killed")


def check_rest():
    done = run("--watchdog=3", "--budget=300")
    assert done.returncode == 1, done
    assert "all is done" in done.stdout, done.stdout
    lines = [line for line in read() if "step" in line]
    keys = [line["key"] for line in lines]
    assert len(keys) == len(set(keys)), "a result was made twice"
    places = [STEPS.index(line["step"]) for line in lines]
    assert places == sorted(places), places
    print(f"all: {len(lines)} results")
    return lines, done.stdout


def name_of(line):
    return line["kernel"].split(".")[1]


def check_statuses(lines):
    """Bad kernels are found, each by its first job or that which shows it, and no
    other has anything but good results."""
    statuses = {}
    for line in lines:
        if "kernel" in line:
            statuses.setdefault(name_of(line), []).append(line["status"])
    wanted = {name_of({"kernel": k["id"]}) for k in manifest["kernels"]
              if k["chip"] == "sm_90a"}
    assert set(statuses) == wanted, wanted ^ set(statuses)
    for name, found in statuses.items():
        fault = fake_bundle.FAULTS.get(name)
        if fault is None:
            assert set(found) == {"ok"}, (name, found)
        else:
            assert EXPECTED[fault] in found, (name, found)
            assert found.count("hung") <= 1, (name, found)
    unsteady = [l for l in lines if l["kind"] == "ragged" and
                name_of(l) == "b_turns0"]
    assert unsteady[0]["equal_bits"] is False, unsteady
    sticky = [l for l in lines if "ILLEGAL_ADDRESS" in l.get("reason", "")]
    assert {name_of(l) for l in sticky} == set(names("sticks")), sticky


def check_order(lines):
    model = [(l["kind"], name_of(l)) for l in lines if l["step"] == "model"]
    assert model[:6] == [(kind, f"{f}_model") for f in "ab" for kind in
                         ("check", "ragged", "time")], model
    assert [l["kind"] for l in lines if l["step"] == "machine"] == [
        "machine", "matmul", "copy"]
    tuning = [l for l in lines if l["step"] == "tuning"]
    first = [name_of(l) for l in tuning if l["kind"] == "try"]
    best_first = [f"{f}_tuned{i}" for i in reversed(range(fake_bundle.TUNED))
                  for f in "ab"]
    assert first == best_first, first
    rounds = [l["kind"] for l in tuning]
    assert rounds == sorted(rounds, key=["try", "second", "third"].index), rounds
    # Three tile sizes of the first workload are good.
    assert rounds.count("second") == 3 + 4 and rounds.count("third") == 6, rounds
    times = [l for l in lines if l["kind"] == "time"]
    assert all(l["launches"] == 10 and len(l["times_ms"]) == 5 for l in times)
    ncu = [l for l in lines if l["kind"] == "ncu"]
    assert [l["status"] for l in ncu] == ["ok"] * 4 and ncu[0]["metrics"], ncu
    peers = {l["peer"]: l["status"] for l in lines if l["kind"] == "peer"}
    assert set(peers.values()) == {"missing"} and len(peers) == 4, peers


def check_rates(lines):
    """Work of pairs that causal queries see: two products, or five."""
    times = {l["workload"]: l for l in lines if (l["step"], l["kind"]) == (
        "model", "time")}
    pairs = sum(range(fake_bundle.SIZES["N"] + 1))
    for name, products in (("first", 2), ("first backward", 5)):
        line, flops = times[name], products * 2 * 2 * 64 * pairs
        for key, ms in (("tflops", line["median_ms"]),
                        ("predicted_tflops", fake_bundle.PREDICTED)):
            assert abs(line[key] * ms * 1e9 / flops - 1) < 1e-6, (key, line)


def check_versions():
    """Machine code by the driver's version; other bundles' results."""
    for version, code in (("12080", "CUDA 12.9"), ("13000", "CUDA 13.0"),
                          ("14010", "CUDA 13.0")):
        folder = out / version
        assert run("--steps=machine", folder=folder,
                   FAKECUDA_VERSION=version).returncode == 0
        assert read(folder)[0]["code"] == code, read(folder)
    done = run("--steps=machine", folder=out / "old", FAKECUDA_VERSION="11080")
    assert "the driver is of CUDA 11.8, for which the bundle has no machine " \
        "code: it was built with CUDA 12.9, 13.0" in done.stderr, done
    text = (out / "manifest.json").read_text()
    (out / "manifest.json").write_text(text + " ")
    done = run()
    assert done.returncode == 1 and "is of the bundle" in done.stderr, done


def check_peer():
    """What is compared with may fail, but if it breaks the context its worker is
    replaced, too."""
    sys.path.insert(0, str(out))
    from lattn_bundle import errors, jobs

    class Driver:
        status = None

        def synchronize(self):
            if self.status:
                raise errors.DriverError(self.status)

    def fail(*_):
        raise ValueError("no window")

    made = jobs.Jobs(Driver(), manifest, uses_torch=False)
    made.need_torch = lambda: types.SimpleNamespace(make=fail)
    made.arrays = lambda *_: types.SimpleNamespace(tensors=dict.fromkeys("qkv"))
    job = {"kind": "peer", "peer": "peer", "workload": "first"}
    assert jobs.perform(made, job) == (
        {"status": "missing", "reason": "ValueError: no window"}, True)
    made.driver.status = "CUDA_ERROR_ILLEGAL_ADDRESS"
    assert jobs.perform(made, job) == (
        {"status": "error", "reason": "CUDA_ERROR_ILLEGAL_ADDRESS"}, False)


check_peer()
check_budget()
check_kill()
everything, report = check_rest()
check_statuses(everything)
check_order(everything)
check_rates(everything)
check_versions()
print(report)
