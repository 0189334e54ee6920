"""The bundle's kernels."""

import hashlib
import json
import lzma
import pathlib
import re

from .errors import BundleError

FOLDER = pathlib.Path(__file__).resolve().parent.parent
FORMAT = 1


def read(folder=FOLDER):
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BundleError(f"cannot read '{path}': {error}") from None
    if manifest.get("format") != FORMAT:
        raise BundleError(f"'{path}': expected format {FORMAT}, got "
                          f"{manifest.get('format')}")
    return manifest


def load(entry, what="cubin", folder=FOLDER):
    """The bytes of a kernel's machine code, or PTX."""
    path = folder / entry[what]
    try:
        data = lzma.decompress(path.read_bytes())
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise BundleError(f"cannot read '{path}': {error}") from None
    if what == "cubin" and hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise BundleError(f"'{path}' is damaged: its checksum is wrong")
    return data


def runs_on(chip, major, minor):
    """Machine code runs on its own capability and later minor ones; with a
    letter on its own alone."""
    match = re.fullmatch(r"sm_(\d+)(\d)([a-z]?)", chip)
    same = int(match[1]) == major
    return same and (int(match[2]) == minor if match[3]
                     else int(match[2]) <= minor)


def choose(manifest, major, minor):
    """The kernels for a GPU: those of the closest chip that it runs, and those
    for it alone."""
    chips = sorted({k["chip"] for k in manifest["kernels"]
                    if runs_on(k["chip"], major, minor)})
    if not chips:
        built = ", ".join(sorted({k["chip"] for k in manifest["kernels"]}))
        raise BundleError(f"this GPU is sm_{major}{minor}, for which the bundle "
                          f"has no kernels: it was built for {built}")
    plain = [c for c in chips if c[-1].isdigit()]
    chips = [c for c in chips if not c[-1].isdigit()] + plain[-1:]
    return [k for k in manifest["kernels"] if k["chip"] in chips]
