# REQUIRES: slow
# RUN: rm -rf %t && %python %s %cmake %lattn_src %t

# Every preset of CMakePresets.json configures: what developers build now and
# then must not break unseen.

import json
import pathlib
import subprocess
import sys

cmake, source, scratch = sys.argv[1:]
presets = json.loads((pathlib.Path(source) / "CMakePresets.json").read_text())
names = [preset["name"] for preset in presets["configurePresets"]
         if not preset.get("hidden")]
assert {"release", "debug", "asan"} <= set(names), names

failed = False
for name in names:
    run = subprocess.run([cmake, "--preset", name, "-B", f"{scratch}/{name}"],
                         cwd=source, capture_output=True, text=True)
    if run.returncode or "Build files have been written to" not in run.stdout:
        print(f"preset {name} does not configure:", run.stdout, run.stderr)
        failed = True
sys.exit(failed)
