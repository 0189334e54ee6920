"""The packages that a benchmark needs."""

import importlib
import importlib.util
import pathlib
import sys

SETUP = {"lattn": "scripts/build", "numpy": "scripts/setup", "ml_dtypes": "scripts/setup",
         "matplotlib": "scripts/setup", "rich": "scripts/setup",
         "torch": "scripts/setup torch", "transformers": "scripts/setup torch",
         "local_attention": "scripts/setup torch", "torch_mlir": "scripts/setup torch",
         "jax": "scripts/setup torch"}


def is_there(package):
    try:
        return importlib.util.find_spec(package) is not None
    except ImportError:
        return False


def require(*names, hint=""):
    """Ends the program, with a sentence and exit code 1, where one is not there. Imports
    no packages, only modules of lattn: they check versions."""
    program = pathlib.Path(sys.argv[0]).name
    for name in names:
        package, _, module = name.partition(".")
        if not is_there(package):
            sys.exit(f"{program}: {package} is not installed: {SETUP[package]}, or "
                     f"pip install {'.' if package == 'lattn' else package}{hint}")
        if module:
            try:
                importlib.import_module(name)
            except ImportError as error:
                sys.exit(f"{program}: {error}")
