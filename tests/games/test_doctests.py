"""Every game has examples in its docstrings; tests/project/test_doctests.py runs them all."""

import doctest
import importlib

import pytest

from mctslab import games


@pytest.mark.parametrize("game", games.by_name())
def test_there_are_examples(game):
    module = importlib.import_module(f"mctslab.games.{game}")
    assert any(test.examples for test in doctest.DocTestFinder().find(module))
