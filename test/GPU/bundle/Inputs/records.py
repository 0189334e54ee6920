"""records.py BUNDLE: its manifest has all that a launcher asks for, and what no
kernel of this bundle uses yet works, too: tensor maps, scalars, operators."""

import ctypes
import os
import sys

sys.path.insert(0, sys.argv[1])

from lattn_bundle import manifest, record  # noqa: E402
from lattn_bundle.driver import Driver  # noqa: E402
from lattn_bundle.kernel import Kernel  # noqa: E402
from lattn_bundle.record import Array, Call  # noqa: E402

everything = manifest.read()
for entry in everything["kernels"]:
    assert entry["function"]["launches"] and entry["ptxas"], entry["id"]
    wanted = {"query-tile", "key-tile", "warps", "stages"}
    assert set(entry["options"]) == (wanted if entry["role"] == "tuning" else set())
    assert [code["cuda"][0] for code in entry["code"]] == [12, 13], entry["code"]
    assert all(k["registers"] > 15 for k in entry["ptxas"]), entry["ptxas"]
    for launch in entry["function"]["launches"]:
        assert {"kernel", "grid", "block", "shared", "parameters"} <= set(launch)
        assert launch["kernel"] in {k["name"] for k in entry["ptxas"]}
assert [s["reason"] for s in everything["skipped"]] and all(
    "shared memory" in s["reason"] for s in everything["skipped"])

function = {
    "name": "f", "results": [], "buffers": [
        {"name": "work", "bytes": ["*", 4, ["size", "q", 0]]},
        {"name": "never", "bytes": 1, "if": [[">", ["scalar", "n"], 100]]}],
    "arguments": [{"name": "q", "element": "bf16", "sizes": [None, 64]},
                  {"name": "n", "element": "i64"}],
    "launches": [{
        "kernel": "k", "grid": [["ceildiv", ["size", "q", 0], 128], 1, 1],
        "block": [128, 1, 1], "cluster": [2, 1, 1], "shared": 1024,
        "if": [[">", ["scalar", "n"], 0]],
        "parameters": [
            ["tensor_map", {"array": "q", "element": "bf16",
                            "sizes": [64, ["size", "q", 0]],
                            "strides": [["*", 2, ["stride", "q", 0]]],
                            "box": [64, 128], "swizzle": 128, "promotion": 256}],
            ["pointer", "work"], ["i64", ["min", ["scalar", "n"], 7]],
            ["f32", 0.5]]}]}
call = Call(function, {"q": Array(4096, (300, 64), (64, 1)), "n": 9})
assert list(call.buffers()) == [("work", 1200)]
call.add("work", Array(8192, (), ()))
[launch] = call.launches()
assert launch.grid == (3, 1, 1) and launch.cluster == (2, 1, 1)
kinds = [kind for kind, _ in launch.parameters]
assert kinds == ["tensor_map", "pointer", "i64", "f32"]
tensor_map = launch.parameters[0][1]
assert tensor_map.sizes == [64, 300] and tensor_map.strides == [128]
assert launch.parameters[1:] == [("pointer", 8192), ("i64", 7), ("f32", 0.5)]
# A buffer depends on the address of the one before, and the result on both.
far = {"name": "far", "numbers": [[">", ["address", "a"], ["scalar", "n"]],
                                  ["*", ["number", 0], 8]],
       "arguments": [{"name": "n", "element": "i64"}], "launches": [],
       "buffers": [{"name": "a", "bytes": 1},
                   {"name": "b", "bytes": ["number", 1], "if": [["number", 0]]}],
       "results": [{"name": "out", "array": "b", "if": [["number", 0]]},
                   {"name": "out", "array": "a"}]}
for limit, wanted in ((9, [("a", 1), ("b", 8)]), (4096, [("a", 1)])):
    other, got = Call(far, {"n": limit}), []
    for name, size in other.buffers():
        got.append((name, size))
        other.add(name, Array(4096, (), ()))
    assert got == wanted
    assert other.results() == {"out": other.values[wanted[-1][0]]}

assert not list(Call(function, {"q": Array(0, (1, 64), (64, 1)),
                                "n": 0}).launches())
try:
    Call(function, {"q": Array(0, (1, 65), (64, 1)), "n": 0})
except record.BundleError as error:
    assert "expected sizes [None, 64], got [1, 65]" in str(error)
else:
    raise AssertionError

driver = Driver()
entry = everything["kernels"][0] | {"function": function}
kernel = Kernel.__new__(Kernel)
kernel.driver, kernel.entry = driver, entry
packed = [kernel.pack(kind, value, call) for kind, value in launch.parameters]
assert ctypes.addressof(packed[0]) % 64 == 0
fields = (ctypes.c_uint64 * 6).from_buffer(packed[0])
# The arguments of a launch are built once.
launched = driver.bind(driver.function(driver.load(b"x"), "k", 1024), launch, packed,
                       None)
launched()
launched()
# The stand-in writes down type, rank, address, last size, last stride, ...
assert list(fields[:5]) == [9, 2, 4096, 300, 128], list(fields)
assert os.environ["LATTN_LIBCUDA"]
