"""The file of results: JSON Lines, each written at once and whole."""

import json
import os

from .errors import BundleError


class Results:
    """Appends to what an earlier run left; `done` has its lines by key."""

    def __init__(self, path):
        self.path, self.done = path, {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self.lines = read(path) if path.exists() else []
        for line in self.lines:
            self.done[line["key"]] = line
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        end_line(path, self.file)

    def write(self, line):
        text = json.dumps(line, allow_nan=False).encode() + b"\n"
        os.write(self.file, text)
        os.fsync(self.file)
        self.lines.append(line)
        self.done[line["key"]] = line


def end_line(path, file):
    """Cuts off what a run that was killed left of a line."""
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        os.ftruncate(file, data.rfind(b"\n") + 1)


def read(path):
    """All lines but one that was cut off."""
    lines = []
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BundleError(f"cannot read '{path}': {error.strerror}") from None
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            continue
        try:
            lines.append(json.loads(line))
        except ValueError:
            raise BundleError(f"{path}:{number}: expected a line of JSON") from None
        if not isinstance(lines[-1], dict) or "key" not in lines[-1]:
            raise BundleError(f"{path}:{number}: expected an object with a key")
    return lines
