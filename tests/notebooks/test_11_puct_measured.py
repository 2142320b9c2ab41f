"""What the side road on PUCT, measured, says is so, and stays so with another seed."""

import numpy as np

from mctslab import arena, games, search
from tests.notebooks.reading import PROJECT


def test_without_the_rule_the_first_batch_asks_about_the_root_only(names):
    root = names["rigid_search"](games.Gomoku(size=6), 32, 32, np.random.default_rng(1)).root

    assert root.visit_count == 32
    assert not any(child.visit_count for child in root.children)


def statistics(node):
    below = [line for child in node.children for line in statistics(child)]
    return [(node.action, node.visit_count, node.total_value, node.prior), *below]


def test_one_at_a_time_it_is_the_packages_search(names):
    rigid = names["rigid_search"](names["small"], 90, 1, np.random.default_rng(4))
    plain = search.puct_search(
        names["small"],
        evaluator=search.rollout_evaluator(),
        num_simulations=90,
        rng=np.random.default_rng(4),
    )
    assert statistics(rigid.root) == statistics(plain.root)


def test_with_a_memory_no_position_is_evaluated_twice(names):
    repeated = []
    for wrapped in (lambda evaluator: evaluator, names["Remembering"]):
        counting = names["Counting"]()
        search.puct_search(
            games.TicTacToe(),
            evaluator=wrapped(counting),
            num_simulations=1_000,
            rng=np.random.default_rng(8),
        )
        repeated.append(len(counting.asked) - len(set(counting.asked)))

    assert repeated[0] > 0 == repeated[1]


# What came along


def stored(name):
    return arena.load(PROJECT / "notebooks" / "more" / "results" / f"11_{name}.jsonl")


def test_small_batches_cost_little_and_batches_of_32_something():
    of_8, of_16, of_32 = (stored(f"batch_{size}").score.rate for size in (8, 16, 32))
    rigid_8, rigid_16, rigid_32 = (stored(f"rigid_{size}").score.rate for size in (8, 16, 32))

    assert rigid_32.high < of_32.low < of_32.high < 0.5
    for batch, rigid in ((of_8, rigid_8), (of_16, rigid_16)):
        assert 0.44 < batch.low < 0.5 < batch.high
        assert rigid.low < batch.value < rigid.high


def test_in_reversi_two_hundred_games_dont_decide_and_one_hundred_looked_as_if():
    for name, half in (("random_prior", 0.59), ("roxanne_prior", 0.435)):
        result = stored(name)
        points = [game.points(result.names[0]) for game in result.games if game.number < 100]
        assert result.score.rate.low < 0.5 < result.score.rate.high
        assert np.mean(points) == half
