# RUN: %python %s %lattn_src

# Each constraint of docs/spec.md has its label in ODS or a verifier, and a test
# named after it; and no label stands there that the specification lacks. Each op
# has a test of its bufferization, or is decomposed before.

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])


def read(*patterns):
    files = (f for p in patterns for f in sorted(source.glob(p)))
    return "\n".join(f.read_text() for f in files)


specified = set()
ops = set(re.findall(r"^## lattn\.(\w+)$", read("docs/spec.md"), flags=re.M))
bufferized = set(re.findall(r"// CHECK: lattn\.(\w+) ",
                            read("test/Dialect/Lattn/bufferize-ops.mlir")))
decomposed = {"gather_pages", "pad_sequences",
              "pack_sequences"}  # before bufferization
for section in re.split(r"^## ", read("docs/spec.md"), flags=re.M)[1:]:
    name = section.split("\n")[0].split(".")[-1].lower()
    for number in re.findall(r"^- \(C(\d+)\)", section, flags=re.M):
        specified.add(f"{name}_c{number}")

label = r"[a-z][a-z0-9_]*?_c\d+"
code = set(re.findall(r"(?<!\w)" + label,
                      read("include/lattn/Dialect/*/IR/**/*.td",
                           "lib/Dialect/*/IR/**/*.cpp",
                           "lib/Dialect/*/IR/**/*.h")))
tested = set(re.findall("(?<=@)" + label,
                        read("test/Dialect/Lattn/invalid-*.mlir",
                             "test/Dialect/Fragment/*-invalid.mlir")))

assert len(specified) > 40, specified
errors = [f"{what}: {', '.join(sorted(names))}" for what, names in [
    ("without a label in the code", specified - code),
    ("without a test", specified - tested),
    ("without a test of bufferization", ops - bufferized - decomposed),
    ("in the code, not in docs/spec.md", code - specified),
    ("tested, not in docs/spec.md", tested - specified)] if names]
sys.exit("\n".join(errors) or 0)
