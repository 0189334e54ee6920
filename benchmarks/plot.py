#!/usr/bin/env python
"""Draws the figures of a file that run.py --json wrote, and prints its tables."""

import argparse
import json
import pathlib

from harness.needs import require

require("numpy", "matplotlib", "rich")

from harness import plots, table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=pathlib.Path, help="a file that run.py --json wrote")
    parser.add_argument("folder", type=pathlib.Path, nargs="?",
                        help="where figures go; without it none are drawn")
    args = parser.parse_args()
    try:
        results = json.loads(args.file.read_text())
        print(table.render(results))
        for path in plots.draw(results, args.folder) if args.folder else ():
            print(path)
    except (OSError, ValueError, KeyError) as error:
        parser.exit(1, f"error: {args.file}: {error!r}\n")


if __name__ == "__main__":
    main()
