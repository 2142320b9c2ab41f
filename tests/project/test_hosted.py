"""What Binder, Codespaces, Colab and citing need: files that others read, and a fake Colab."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import mctslab
from mctslab.__main__ import main

PROJECT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
BINDER = PROJECT / ".binder"
CONTAINER = json.loads((PROJECT / ".devcontainer/devcontainer.json").read_text("utf-8"))
PYTHONS = SpecifierSet(PYPROJECT["requires-python"])


# Binder


def test_binder_gets_a_python_that_we_support():
    """repo2docker reads exactly `python-X.Y`; other text means its own default Python."""
    found = re.fullmatch(r"python-(3\.\d+)\n", (BINDER / "runtime.txt").read_text("utf-8"))
    assert found is not None
    assert PYTHONS.contains(found[1])


def test_binder_installs_mctslab_with_jupyterlab_and_the_versions_of_the_lock():
    lines = (BINDER / "requirements.txt").read_text("utf-8").splitlines()
    options = dict(line.split() for line in lines if line.startswith("--"))
    assert (BINDER / options["--constraint"]).resolve() == PROJECT / "requirements.lock"
    folder, extra = re.fullmatch(r"(.+)\[(\w+)\]", options["--editable"]).groups()
    assert folder == ".", "pip starts in the folder of the project"
    packages = [Requirement(line).name for line in PYPROJECT["optional-dependencies"][extra]]
    assert "jupyterlab" in packages


def test_binder_compiles_the_search_by_a_command_that_is_there(capsys):
    script = BINDER / "postBuild"
    assert os.name == "nt" or os.access(script, os.X_OK)
    subprocess.run(["sh", "-n", str(script)], check=True)
    [command] = re.findall(r"^python -m mctslab (.+)$", script.read_text("utf-8"), re.MULTILINE)
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    assert "compile" in capsys.readouterr().out


# Codespaces and other development containers


def test_a_container_has_a_python_that_we_support_and_is_set_up_by_run_py():
    image, version = re.fullmatch(r"(.+):(3\.\d+)-\w+", CONTAINER["image"]).groups()
    assert image == "python"
    assert PYTHONS.contains(version)
    python, script, command = CONTAINER["postCreateCommand"].split()
    assert (python, script) == ("python3", "run.py")
    ours = (PROJECT / "run.py").read_text("utf-8")
    assert re.search(rf"^  {command}\b", ours, re.MULTILINE)
    folder = re.search(r'^VENV = PROJECT / "(.+)"$', ours, re.MULTILINE)[1]
    settings = CONTAINER["customizations"]["vscode"]["settings"]
    environment = f"${{containerWorkspaceFolder}}/{folder}/bin/python"
    assert settings["python.defaultInterpreterPath"] == environment


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


# Citing


def test_the_citation_names_this_version_its_license_and_its_authors():
    """The required keys are those of the Citation File Format 1.2.0."""
    cited = yaml.safe_load((PROJECT / "CITATION.cff").read_text("utf-8"))
    assert cited["message"]
    assert cited["title"]
    assert (cited["cff-version"], cited["type"]) == ("1.2.0", "software")
    assert cited["version"] == mctslab.__version__
    assert cited["license"] == PYPROJECT["license"]
    assert cited["authors"] == PYPROJECT["authors"]


def test_the_changelog_begins_with_this_version():
    text = (PROJECT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## (\S+)", text, re.MULTILINE)[0] == mctslab.__version__
