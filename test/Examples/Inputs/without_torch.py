"""Runs a program as if torch were not installed: without_torch.py FILE"""

import runpy
import sys

sys.modules["torch"] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
