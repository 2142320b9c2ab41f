"""What the side road of 06 says is so."""

import pytest

from mctslab import search
from tests.notebooks.test_06_backpropagation import found_by


@pytest.mark.parametrize("seed", range(1))
def test_a_flipped_sign_loses_the_squeeze_whatever_the_seed(names, seed):
    for way_back, best in ((search.backpropagate, "a3"), (names["sign_flipped"], "c4")):
        root = found_by(way_back, names["skipped"], 50, seed)
        means = {
            root.state.action_to_string(node.action): node.mean_value for node in root.children
        }
        robust = max(root.children, key=lambda child: child.visit_count)
        assert root.state.action_to_string(robust.action) == best
        assert max(means, key=means.get) == best
