"""environment.yml (conda) and requirements.lock say the same as pyproject.toml."""

import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
ENVIRONMENT = yaml.safe_load((PROJECT / "environment.yml").read_text("utf-8"))["dependencies"]
LOCK = (PROJECT / "requirements.lock").read_text("utf-8")

EXTRAS = PYPROJECT["optional-dependencies"]
OF_TESTS = [line for line in EXTRAS["test"] if line != "mctslab[lab,site,speed]"]
PARTS = [line for name in ("lab", "site", "speed") for line in EXTRAS[name]]
REQUIREMENTS = PYPROJECT["dependencies"] + PARTS + OF_TESTS

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

    assert found == bounds(PYPROJECT["dependencies"] + EXTRAS["lab"])
    for specifier in (SpecifierSet(PYPROJECT["requires-python"]), python):
        assert specifier.contains("3.11")
        assert not specifier.contains("3.10")
    assert "python-graphviz" in conda
    assert "graphviz" in lines
    assert "--editable ." in pip


def test_the_lock_holds_a_version_within_the_bounds_of_each_and_suits_every_machine():
    lines = [line.partition("#")[0] for line in LOCK.splitlines() if line[:1] not in "#"]
    lock = {canonicalize_name(each.name): each for each in map(Requirement, lines)}
    for wanted in map(Requirement, REQUIREMENTS):
        locked = lock[canonicalize_name(wanted.name)]
        (version,) = locked.specifier

        assert version.operator == "=="
        assert wanted.specifier.contains(version.version), wanted
        assert str(locked.marker) == str(wanted.marker), wanted

    assert "://" not in LOCK, "the lock names an index or a file"
    for requirement in lock.values():
        assert "+" not in str(requirement.specifier), f"{requirement} is one machine's build"
        assert not re.match("nvidia|cuda|triton", requirement.name), "CUDA has no place here"


def test_every_dependency_is_bounded_above_and_below():
    for line in REQUIREMENTS:
        operators = {each.operator for each in Requirement(line).specifier}
        assert operators == {">=", "<"}, line


def test_the_tests_need_every_backend_a_student_only_one_and_the_package_no_jupyterlab():
    own = bounds(PYPROJECT["dependencies"])
    assert "mctslab[lab,site,speed]" in EXTRAS["test"]
    assert not set(bounds(EXTRAS["speed"])) & set(own)
    assert "jupyterlab" not in own
