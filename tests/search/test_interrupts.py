"""A tree whose search was interrupted, at whatever line, is one that could have been grown."""

import pytest

from tests import forks
from tests.search.interrupting import SEARCHES, check_every_line


@pytest.mark.parametrize("name", SEARCHES)
def test_an_interrupted_search_leaves_the_tree_of_its_complete_simulations(name):
    done = forks.run(check_every_line, name)

    assert done.returncode == 0, done.stderr
