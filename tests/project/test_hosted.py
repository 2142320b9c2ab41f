"""What conda, Binder, Codespaces, Colab and citing need: files that others read, a fake Colab."""

import json
import subprocess
import sys
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


# Conda


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


# Colab

IN_COLAB = """
import json, sys, types

asked = []
output = types.ModuleType("google.colab.output")
output.enable_custom_widget_manager = lambda: asked.append("enabled")
output._widgets = types.SimpleNamespace(_installed_url="where its scripts are")
for name in ("google", "google.colab"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["google.colab.output"] = output
for name in ("jupyterlab", "jupyterlab_server"):
    sys.modules[name] = None  # Colab has others, or none

import numpy as np
from mctslab import games, search, widgets

trace = search.Trace()
search.mcts(games.TicTacToe(), num_simulations=3, rng=np.random.default_rng(1), trace=trace)
shown = widgets.PhaseStepper(trace)
widgets.GamePanel("tictactoe", white="human")
_, metadata = shown._repr_mimebundle_()
print(json.dumps([asked, metadata]))
"""


def test_in_colab_the_manager_that_shows_our_widgets_is_enabled_once():
    """anywidget does it for us, before the first widget is shown; a new version could stop that."""
    done = subprocess.run(
        [sys.executable, "-c", IN_COLAB], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    asked, metadata = json.loads(done.stdout)
    assert asked == ["enabled"]
    [colab] = metadata.values()
    assert colab == {"colab": {"custom_widget_manager": {"url": "where its scripts are"}}}
