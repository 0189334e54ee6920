# RUN: %python -B %s

# lattn does without torch; lattn.nn says that it does not.

import sys

import lattn

assert "torch" not in sys.modules
sys.modules["torch"] = None  # as if it were not installed
try:
    import lattn.nn  # noqa: F401
except ImportError as error:
    assert "lattn.nn: needs torch" in str(error), error
else:
    raise AssertionError("lattn.nn was imported without torch")
