# RUN: rm -rf %t && mkdir %t
# RUN: %python %S/Inputs/make.py %t
# RUN: %python %s lattn-run %S %lattn_src/docs/tutorial/lattn-run.md %t
# REQUIRES: python, slow

# --format=json: one object whatever the run finds, with the keys that the
# documentation lists and no others.

import json
import pathlib
import re
import subprocess
import sys

import numpy as np

tool, sources, page, folder = sys.argv[1:]
sources, folder = pathlib.Path(sources), pathlib.Path(folder)


def run(name, *options, code=0):
    done = subprocess.run(
        [tool, sources / name, "--cache=off", "--format=json", *options],
        text=True, capture_output=True)
    assert done.returncode == code, (done.returncode, done.stderr)
    return json.loads(
        done.stdout, parse_constant=lambda text: sys.exit(f"{text} is no JSON"))


# The document and the tool have the same keys, group by group.
documented, group = {}, None
for line in pathlib.Path(page).read_text().splitlines():
    if heading := re.fullmatch(r"Keys of (?:each entry of )?(the object|`\w+`):", line):
        group = documented.setdefault(heading[1].strip("`"), set())
    elif row := re.match(r"\| `(\w+)`(?:, `(\w+)`)* \|", line):
        if group is not None:
            group |= set(re.findall(r"`(\w+)`", line.split("|")[1]))

report = run("attention.mlir", "--random=1", "--shape=q:1x2x50x16",
             "--shape=k:1x2x60x16", "--shape=v:1x2x60x16", "--verify-loops",
             "--benchmark=3", "--threads=1")
expected = {"the object": report, "time": report["time"], "rate": report["rate"],
            "attention": report["attention"][0],
            "comparisons": report["comparisons"][0]}
for name, keys in expected.items():
    keys = set(keys) | ({"products"} if name == "attention" else set())
    assert documented.get(name) == keys, (
        name, documented.get(name, set()) ^ keys)

assert report["entry"] == "att" and report["threads"] == 1 and report["agrees"]
assert report["arguments"][1] == {"name": "k", "shape": [1, 2, 60, 16],
                                  "type": "f32"}
assert report["tuning"] is None and report["device"] is None
time, rate, [attention] = report["time"], report["rate"], report["attention"]
assert time["runs"] == 3 and 0 < time["least_seconds"] <= time["median_seconds"]
# The window shows 6 of 60 keys to each of 50 queries, of 2 heads.
assert rate["useful_flop"] == 2 * (16 + 16) * 2 * 50 * 6, rate
assert np.isclose(rate["flop_per_second"],
                  rate["useful_flop"] / time["median_seconds"])
assert np.isclose(rate["share_of_peak"],
                  rate["flop_per_second"] / rate["peak_flop_per_second"])
assert np.isclose(rate["share_of_bound"],
                  rate["share_of_peak"] / rate["bound_share_of_peak"])
assert attention["queries"] == 50 and attention["keys"] == 60
assert attention["window"] == "#lattn.window<left = 5, right = 0>"
assert attention["tiles"]["measured"] is False

# A comparison that fails: the exit code says so, and the object what differs.
arrays = [f"--inputs={folder / 'in.npz'}"]
report = run("attention.mlir", *arrays, f"--expect={folder / 'wrong.npz'}", code=1)
assert report["agrees"] is False
[compared] = report["comparisons"]
assert compared["agrees"] is False and compared["differing_elements"] == 1
[first] = compared["first_differing"]
assert first["index"] == [0, 1, 3, 2] and first["expected"] == 7
# Without --benchmark there is no peak to compare with.
assert report["time"]["benchmark"] is False and report["time"]["runs"] == 1
assert report["rate"]["share_of_peak"] is None

# Numbers that JSON lacks are strings.
with np.load(folder / "wrong.npz") as file:
    wrong = file["o"]
wrong[0, 1, 3, 2] = np.nan
np.savez(folder / "nan.npz", o=wrong)
report = run("attention.mlir", *arrays, f"--expect={folder / 'nan.npz'}", code=1)
[compared] = report["comparisons"]
assert compared["first_differing"][0]["expected"] == "nan", compared
assert compared["largest_error"] == "inf", compared

# Checks in IR; loops; no attention.
report = run("checks.mlir", "--entry=wrong", code=1)
assert report["failed_checks"] == 1 and not report["agrees"]
report = run("checks.mlir", "--entry=right", "--target=loops")
assert report["target"] == "loops" and report["attention"][0]["tiles"] is None
report = run("explain-nothing.mlir", "--entry=main", "--random=1", "--explain")
assert report["attention"] == [] and report["rate"]["flop_per_second"] is None

# Errors are on standard error alone.
done = subprocess.run([tool, sources / "attention.mlir", "--format=json"],
                      text=True, capture_output=True)
assert done.returncode == 1 and done.stdout == ""
assert done.stderr.startswith("lattn-run: error: argument 'q'"), done.stderr
