# RUN: rm -rf %t && cd %lattn_src && env PYTHONPATH=scripts %python -B %s %t | FileCheck %s

# A campaign counts, goes on where it was, and does again what failed or what
# other sources make.

# CHECK:      good: done
# CHECK-NEXT:   7 cases, 0 wrong
# CHECK:      bad: FAILED, see {{.*}}bad.log
# CHECK:      1 steps done, 1 failed
# CHECK-NEXT: good: done before
# CHECK-NEXT: bad: FAILED
# CHECK:      1 steps done, 1 failed
# CHECK-NEXT: good: done, 0 s
# CHECK:      1 steps done, 0 failed

import pathlib
import subprocess
import sys

import campaign

folder = pathlib.Path(sys.argv[1])
good = campaign.Step("good", "echo '# | 7 cases, 0 wrong'", alone=True)
bad = campaign.Step("bad", "exit 3")
assert campaign.run_steps([good, bad], folder, "one", 2) == 1
assert campaign.run_steps([good, bad], folder, "one", 2) == 1
assert campaign.run_steps([good], folder, "two", 2) == 0

# Each test that runs a slice is a step.
names = [step.name for step in campaign.list_steps("")]
assert {"tests", "asan/tests", "asan/fuzz-ir", "GPU/sweep/sweep.test",
        "Install/wheel.test", "Integration/CPU/levels/amx.test"} <= set(names)
# Other cases by request only.
assert not any("slice=" in step.command for step in campaign.list_steps(""))
assert any("slice=3" in step.command for step in campaign.list_steps("3"))


def complain(*arguments):
    done = subprocess.run([sys.executable, "scripts/campaign.py", *arguments],
                          capture_output=True, text=True)
    assert done.returncode == 2, done
    return done.stderr


assert "no step 'nothing'" in complain("nothing")
assert "expected a number, got 'x'" in complain("--slice=x")
assert "expected at least 1, got 0" in complain("--jobs=0")
