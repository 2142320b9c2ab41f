"""What the side road on PUCT, measured, says is so, and stays so with another seed."""

from functools import partial

import numpy as np
import pytest

from mctslab import arena, games, search
from tests.notebooks import stored_games
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "11_puct_measured")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def test_without_the_rule_the_first_batch_asks_about_the_root_only(names):
    root = names["rigid_search"](games.Gomoku(size=6), 32, 32, np.random.default_rng(1)).root

    assert root.visit_count == 32
    assert not any(child.visit_count for child in root.children)


def test_one_at_a_time_it_is_the_packages_search(names):
    for seed in (4, 5):
        rigid = names["rigid_search"](names["small"], 90, 1, np.random.default_rng(seed))
        plain = search.puct_search(
            names["small"],
            evaluator=search.rollout_evaluator(),
            num_simulations=90,
            rng=np.random.default_rng(seed),
        )
        assert statistics(rigid.root) == statistics(plain.root)


@pytest.mark.parametrize("seed", [8, 9])
def test_the_graph_never_asks_twice_and_the_tree_does(names, seed):
    asked = {}
    for transpositions in (False, True):
        evaluator = names["Counting"]()
        search.puct_search(
            games.TicTacToe(),
            evaluator=evaluator,
            num_simulations=1_000,
            transpositions=transpositions,
            rng=np.random.default_rng(seed),
        )
        asked[transpositions] = len(evaluator.asked) - len(set(evaluator.asked))

    assert asked[False] > 0 == asked[True]


# What came along


def stored(name):
    return PROJECT / "notebooks" / "more" / "results" / f"11_{name}"


def statistics(node):
    below = [line for child in node.children for line in statistics(child)]
    return [(node.action, node.visit_count, node.total_value, node.prior), *below]


def test_every_file_is_read_by_the_notebook():
    files = {path.stem for path in stored("").parent.glob("11_[!v]*.jsonl")}  # not the variants
    sources = "\n".join(cell.source for cell in read(NOTEBOOK).cells)
    read_here = {f"11_{kind}_{n}" for kind in ("batch", "rigid") for n in (8, 16, 32)}
    read_here |= {"11_random_prior", "11_roxanne_prior"}

    assert files == read_here
    for name in ('"11_batch_{n}"', '"11_rigid_{n}"', '"11_{name}_prior"'):
        assert f"f{name}" in sources


def rate(name):
    return arena.load(stored(f"{name}.jsonl")).score.rate


def test_small_batches_cost_little_and_batches_of_32_something():
    assert rate("batch_32").high < 0.5
    for name in ("batch_8", "batch_16"):
        assert 0.44 < rate(name).low < 0.5 < rate(name).high
    assert rate("rigid_32").high < rate("batch_32").low
    for size in (8, 16):
        assert rate(f"rigid_{size}").low < rate(f"batch_{size}").value < rate(f"rigid_{size}").high


def test_in_reversi_two_hundred_games_dont_decide_and_one_hundred_looked_as_if():
    for name, half in (("random_prior", 0.59), ("roxanne_prior", 0.435)):
        result = arena.load(stored(f"{name}.jsonl"))
        points = [game.points(result.names[0]) for game in result.games if game.number < 100]
        assert result.score.rate.low < 0.5 < result.score.rate.high
        assert np.mean(points) == half


def plays_again(name, entries, number, **options):
    return stored_games.plays_again(stored(f"{name}.jsonl"), entries, number, seed=11, **options)


@pytest.mark.parametrize(("size", "number"), [(8, 0), (16, 333), (32, 998)])
def test_a_sample_of_the_games_in_batches_plays_again(names, size, number):
    entries = [names["batched"](size), names["batched"](1)]

    assert plays_again(f"batch_{size}", entries, number)


@pytest.mark.parametrize(("size", "number"), [(8, 1), (32, 6)])
def test_a_sample_of_the_games_without_the_rule_plays_again(names, size, number):
    one = arena.Contestant(f"rigid batches of {size}", partial(names["Rigid"], size))

    assert plays_again(f"rigid_{size}", [one, names["batched"](1)], number)


@pytest.mark.parametrize("number", [0, 3])
def test_a_sample_of_the_games_with_priors_for_reversi_plays_again(names, number):
    roxanne = ["puct:100:roxanne", names["entries"]["roxanne"][1]]
    assert plays_again("roxanne_prior", roxanne, number)
    assert plays_again("random_prior", names["entries"]["random"], number)
