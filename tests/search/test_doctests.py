"""The examples in the docstrings of the search give what they say."""

import doctest
import importlib
import pkgutil

import pytest

from mctslab import search

MODULES = [f"mctslab.search.{module.name}" for module in pkgutil.iter_modules(search.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
