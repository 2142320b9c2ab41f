"""environment.yml (conda) and requirements.lock say the same as pyproject.toml."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]

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


def conda_bounds(environment: dict[str, list[object]]) -> dict[str, SpecifierSet]:
    entries = environment["dependencies"]
    lines = [entry for entry in entries if isinstance(entry, str) and entry not in ONLY_CONDA]
    found = {PYPI_NAME.get(name, name): each for name, each in bounds(lines).items()}
    (pip,) = [entry["pip"] for entry in entries if isinstance(entry, dict)]
    return found | bounds([line for line in pip if not line.startswith("-")])


def environment() -> dict[str, list[object]]:
    return yaml.safe_load((PROJECT / "environment.yml").read_text("utf-8"))


def test_conda_gets_the_same_packages_with_the_same_bounds():
    found = conda_bounds(environment())
    python = found.pop("python")

    assert found == bounds(PYPROJECT["dependencies"] + EXTRAS["lab"])
    assert SpecifierSet(PYPROJECT["requires-python"]).contains("3.11")
    assert python.contains("3.11")
    assert not python.contains("3.10")


def test_conda_gets_both_packages_of_graphviz_and_mctslab_itself():
    entries = environment()["dependencies"]

    assert "graphviz" in entries
    assert any(isinstance(entry, str) and entry.startswith("python-graphviz") for entry in entries)
    assert any(isinstance(entry, dict) and "--editable ." in entry["pip"] for entry in entries)


def locked() -> dict[str, Requirement]:
    lines = (PROJECT / "requirements.lock").read_text("utf-8").splitlines()
    requirements = [Requirement(line.partition("#")[0]) for line in lines if line[:1] not in "#"]
    return {canonicalize_name(each.name): each for each in requirements}


def test_the_package_itself_does_without_jupyterlab():
    assert "jupyterlab" not in bounds(PYPROJECT["dependencies"])


@pytest.mark.parametrize("line", REQUIREMENTS)
def test_the_lock_holds_a_version_within_the_bounds_of(line):
    wanted = Requirement(line)
    lock = locked()[canonicalize_name(wanted.name)]
    (version,) = [each.version for each in lock.specifier]

    assert [each.operator for each in lock.specifier] == ["=="]
    assert wanted.specifier.contains(version)
    assert str(lock.marker) == str(wanted.marker)


def test_the_lock_suits_every_machine():
    text = (PROJECT / "requirements.lock").read_text("utf-8")

    assert "://" not in text, "the lock names an index or a file"
    for requirement in locked().values():
        (specifier,) = requirement.specifier
        assert "+" not in specifier.version, f"{requirement} is one machine's build"
        assert not re.match("nvidia|cuda|triton", requirement.name), "CUDA has no place here"


def test_every_dependency_is_bounded_above_and_below():
    for line in REQUIREMENTS:
        operators = {each.operator for each in Requirement(line).specifier}
        assert operators == {">=", "<"}, line


def test_the_tests_need_every_backend_and_a_student_only_one():
    assert "mctslab[lab,site,speed]" in EXTRAS["test"]
    assert not set(bounds(EXTRAS["speed"])) & set(bounds(PYPROJECT["dependencies"]))
