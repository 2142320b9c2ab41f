"""What the side road on the evaluation says is so."""

import pytest

from mctslab import arena, games
from mctslab.arena.playing import play
from mctslab.arena.settings import fixture, make_settings
from tests.notebooks.reading import NOTEBOOKS, PROJECT

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "10_evaluation")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def stored(name):
    return PROJECT / "notebooks" / "more" / "results" / f"10_{name}.jsonl"


def test_a_sum_of_terms_is_the_evaluation(names):
    evaluation, later = names["evaluation"], names["later"]
    counts = evaluation.counts(later).items()
    total = sum(getattr(evaluation, term) * (black - white) for term, (black, white) in counts)

    assert total == evaluation(later) > 10


def test_every_match_has_its_file(names):
    for name in ("uct_400_alphabeta_4", "uct_400_pos", *(f"without_{t}" for t in names["TERMS"])):
        assert stored(name).is_file()


@pytest.mark.parametrize("term", ["corners", "mobility", "parity"])
def test_a_sample_of_the_ablation_plays_again(names, term):
    entries = [names["four_plies"]("all terms", names["evaluation"]), names["without"](term)]
    for number in (2, 7):
        kept = next(g for g in arena.read(stored(f"without_{term}")).games if g.number == number)
        settings = make_settings(
            games.Reversi(), entries, num_games=number + 1, seed=10, opening_plies=6
        )
        assert play(settings, fixture((0, 1), number, seed=10)).actions == kept.actions


def test_what_each_term_is_worth_is_as_the_notebook_tells_it(names):
    losses = {term: arena.load(stored(f"without_{term}")).elo for term in names["TERMS"]}

    for term in ("mobility", "x_squares"):
        assert losses[term].low > 130
        assert 170 < losses[term].value < 210
    for term in ("frontier", "stability"):
        assert losses[term].low > 0
        assert losses[term].value < 100
    for term in ("corners", "c_squares", "parity"):
        assert losses[term].low < 0 < losses[term].high


def test_one_search_loses_against_one_alphabeta_of_depth_4_and_wins_against_another():
    assert arena.load(stored("uct_400_alphabeta_4")).score.rate.high < 0.05
    assert arena.load(stored("uct_400_pos")).score.rate.low > 0.6
