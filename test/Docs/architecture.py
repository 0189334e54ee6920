# RUN: %python -B %s %lattn_src

# docs/ARCHITECTURE.md names files, folders, passes and functions that exist: the
# lists of what to add for an operation and for a target hold.

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
ENDINGS = "cpp|h|td|py|toml"
paths, texts = set(), []
for folder in ("lib", "include", "tools", "python", "cmake", "test",
               "benchmarks", "docs", "scripts"):
    for path in (source / folder).rglob("*"):
        paths.add("/" + path.relative_to(source).as_posix())
        if folder != "test" and path.suffix in (".cpp", ".h", ".td", ".py", ".cmake",
                                                ".txt"):
            texts.append(path.read_text())
code = "\n".join(texts)

errors, count = [], 0
page = (source / "docs/ARCHITECTURE.md").read_text()
for name in set(re.findall(r"`([^`\n]+)`", page)):
    bare = name.partition("=")[0].strip()
    if re.fullmatch(rf"[\w./-]+\.({ENDINGS})", bare):
        found = any(path.endswith("/" + bare) for path in paths)
    elif re.fullmatch(r"[\w.-]+(/[\w.-]+)+", bare) and not bare.startswith("build/"):
        found = any(path.endswith("/" + bare) for path in paths)
    elif re.fullmatch(r"lattn-[a-z0-9-]+|convert-[a-z0-9-]+", bare):
        found = re.search(rf"\b{bare}\b", code)
    elif re.fullmatch(r"[#!]?(lattn|fragment)\.\w+", bare):
        found = re.search(rf"\b{bare.partition('.')[2]}\b", code)
    elif re.fullmatch(r"\w+(::\w+)*", bare) and re.search("[a-z][A-Z]|_|::", bare):
        found = re.search(rf"\b{bare.rpartition('::')[2]}\b", code)
    else:
        continue
    count += 1
    if not found:
        errors.append(f"docs/ARCHITECTURE.md: there is no '{name}'")
assert count >= 200, count
sys.exit("\n".join(sorted(errors)) or 0)
