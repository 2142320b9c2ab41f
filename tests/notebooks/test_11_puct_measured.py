"""What the side road on PUCT, measured, says is so."""

import numpy as np

from mctslab import search
from tests.fast.same_trees import difference


def test_one_at_a_time_it_is_the_packages_search(names):
    rigid = names["rigid_search"](names["small"], 90, 1, np.random.default_rng(4))
    plain = search.puct_search(
        names["small"],
        evaluator=search.rollout_evaluator(),
        num_simulations=90,
        rng=np.random.default_rng(4),
    )
    assert difference(rigid.root, plain.root) == ""
