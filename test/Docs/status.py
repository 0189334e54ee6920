# RUN: %python -B %s %lattn_src

# docs/status.md: each row's tests are files or folders of this one, no feature
# has two rows, and only what is not built has no tests.

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
errors, seen = [], set()
for line in (source / "docs/status.md").read_text().splitlines():
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    if not cells or cells[-1] in ("tests", "---"):
        continue
    if cells[0] in seen:
        errors.append(f"two rows: {cells[0]}")
    seen.add(cells[0])
    tests = re.findall(r"`([^`]+)`", cells[-1])
    errors += [f"{cells[0]}: no test/{name}" for name in tests
               if not (source / "test" / name).exists()]
    if not tests and cells[-1] != "none":
        errors.append(f"{cells[0]}: expected tests or none, got '{cells[-1]}'")
    if not tests and not re.match("no|portable", cells[1]):
        errors.append(f"{cells[0]}: '{cells[1]}' without tests")
assert len(seen) > 60, len(seen)
sys.exit("\n".join(errors) or 0)
