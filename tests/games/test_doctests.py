"""The examples in the docstrings of the games and boards give what they say."""

import doctest
import importlib
import pkgutil

import pytest

import mctslab.boards
import mctslab.games

PACKAGES = (mctslab.boards, mctslab.games)
MODULES = [package.__name__ for package in PACKAGES] + [
    f"{package.__name__}.{module.name}"
    for package in PACKAGES
    for module in pkgutil.iter_modules(package.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    found = {n for n in MODULES if any(t.examples for t in finder.find(importlib.import_module(n)))}
    assert found >= {f"mctslab.games.{game}" for game in mctslab.games.known()}
