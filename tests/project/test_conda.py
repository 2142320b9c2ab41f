"""What conda needs: the packages of pyproject.toml by their names there."""

import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
PYTHONS = SpecifierSet(PYPROJECT["requires-python"])
ENVIRONMENT = yaml.safe_load((PROJECT / "environment.yml").read_text("utf-8"))["dependencies"]

PYPI_NAME = {"pytorch-cpu": "torch", "python-graphviz": "graphviz"}
"""Packages that conda calls otherwise."""

ONLY_CONDA = {"graphviz", "pip"}
"""Programs, which are no packages of Python: Graphviz itself, and pip for what conda lacks."""


def bounds(lines: list[str]) -> dict[str, SpecifierSet]:
    requirements = [Requirement(line) for line in lines]
    return {canonicalize_name(each.name): each.specifier for each in requirements}


def test_conda_gets_the_same_packages_with_the_same_bounds_and_both_of_graphviz():
    lines = [entry for entry in ENVIRONMENT if isinstance(entry, str)]
    (pip,) = [entry["pip"] for entry in ENVIRONMENT if isinstance(entry, dict)]
    conda = bounds([line for line in lines if line not in ONLY_CONDA])
    python = conda.pop("python")
    found = {PYPI_NAME.get(name, name): each for name, each in conda.items()}
    found |= bounds([line for line in pip if not line.startswith("-")])

    assert found == bounds(PYPROJECT["dependencies"])
    assert python == PYTHONS
    assert "python-graphviz" in conda
    assert "graphviz" in lines
    assert "--editable ." in pip
