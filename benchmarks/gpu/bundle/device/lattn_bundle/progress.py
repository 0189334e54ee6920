"""A bar on a terminal, a line else."""

import sys
import time


class Progress:
    def __init__(self, title, total):
        self.title, self.total, self.done = title, total, 0
        self.is_terminal = sys.stderr.isatty()
        self.begin = time.monotonic()
        if not self.is_terminal:
            print(f"{title}: {total} steps", file=sys.stderr)

    def step(self, what=""):
        self.done += 1
        if not self.is_terminal:
            return
        share = self.done / self.total if self.total else 1
        left = (time.monotonic() - self.begin) * (1 / share - 1)
        bar = "#" * int(30 * share)
        print(f"\r\033[K{self.title} [{bar:<30}] {self.done}/{self.total} "
              f"{left:.0f} s left {what[:40]}", end="", file=sys.stderr,
              flush=True)
        if self.done == self.total:
            print(file=sys.stderr)
