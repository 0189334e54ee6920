"""The bundle's kernels."""

import hashlib
import json
import lzma
import pathlib
import re

from .errors import BundleError

FOLDER = pathlib.Path(__file__).resolve().parent.parent
FORMAT = 3


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


def choose_code(entry, version):
    """The newest machine code that a driver of this version (13000 for CUDA
    13.0) takes: that of its own major version or of an earlier one."""
    fitting = [c for c in entry["code"] if c["cuda"][0] <= version // 1000]
    if not fitting:
        made = ", ".join(f"{c['cuda'][0]}.{c['cuda'][1]}" for c in entry["code"])
        raise BundleError(f"the driver is of CUDA {version // 1000}."
                          f"{version % 1000 // 10}, for which the bundle has no "
                          f"machine code: it was built with CUDA {made}")
    return max(fitting, key=lambda c: c["cuda"])


def load(code, folder=FOLDER):
    """The bytes of a kernel's machine code, or PTX."""
    path = folder / code["file"]
    try:
        data = lzma.decompress(path.read_bytes())
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise BundleError(f"cannot read '{path}': {error}") from None
    if hashlib.sha256(data).hexdigest() != code["sha256"]:
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
    """The kernels for a GPU: those of the last chip that it runs, which on Hopper
    is sm_90a, after sm_90."""
    chips = sorted({k["chip"] for k in manifest["kernels"]
                    if runs_on(k["chip"], major, minor)})
    if not chips:
        built = ", ".join(sorted({k["chip"] for k in manifest["kernels"]}))
        raise BundleError(f"this GPU is sm_{major}{minor}, for which the bundle "
                          f"has no kernels: it was built for {built}")
    return [k for k in manifest["kernels"] if k["chip"] == chips[-1]]


def fingerprint(folder=FOLDER):
    """Tells bundles apart."""
    return hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()[:16]
