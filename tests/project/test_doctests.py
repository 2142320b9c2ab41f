"""The examples in the docstrings do what they show."""

import doctest
import importlib
from pathlib import Path

import pytest

from mctslab import games

PROJECT = Path(__file__).resolve().parents[2]


def names() -> list[str]:
    """Every module that holds an example."""
    found = []
    for file in (PROJECT / "run.py", *sorted((PROJECT / "mctslab").rglob("*.py"))):
        if "\n>>> " in file.read_text("utf-8").replace("    ", ""):
            found.append(".".join(file.relative_to(PROJECT).with_suffix("").parts))
    return [name.removesuffix(".__init__") for name in found]


def test_every_game_has_an_example():
    assert {f"mctslab.games.{game}" for game in games.by_name()} <= set(names())


@pytest.mark.parametrize("name", names())
def test_the_examples_are_right(name):
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried > 0
    assert failed == 0
