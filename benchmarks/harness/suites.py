"""Reads suites: benchmarks/suites/*.toml."""

import dataclasses
import itertools
import pathlib
import tomllib

from .workload import Workload

FOLDER = pathlib.Path(__file__).parents[1] / "suites"
FIELDS = {field.name for field in dataclasses.fields(Workload)} - {"suite"}


def names():
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def read(suite):
    """The suite's workloads. A list as a field's value stands for a workload for
    each element, and names may use {fields}."""
    path = FOLDER / f"{suite}.toml"
    content = tomllib.loads(path.read_text())
    unknown = content.keys() - {"defaults", "workload"}
    if unknown:
        raise ValueError(f"{path.name}: unknown: {', '.join(sorted(unknown))}")
    workloads = []
    for entry in content.get("workload", []):
        fields = content.get("defaults", {}) | entry
        unknown = fields.keys() - FIELDS
        if unknown:
            raise ValueError(f"{path.name}: {fields.get('name')}: unknown field "
                             f"{', '.join(sorted(unknown))}")
        workloads += _expand(path.name, suite, fields)
    keys = [(w.name, w.threads) for w in workloads]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"{path.name}: two workloads are called {key[0]}")
    return workloads


def _expand(file, suite, fields):
    lists = {name: value for name, value in fields.items()
             if isinstance(value, list) and name != "peers"}
    for values in itertools.product(*lists.values()):
        chosen = fields | dict(zip(lists, values))
        try:
            chosen["name"] = chosen["name"].format(**chosen)
            yield Workload(suite=suite, **chosen)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{file}: {error}") from None
