"""What the side road on the evaluation says is so."""

from mctslab import arena
from tests.notebooks.reading import PROJECT


def elo(name):
    return arena.load(PROJECT / "notebooks" / "more" / "results" / f"10_{name}.jsonl").elo


def test_a_sum_of_terms_is_the_evaluation(names):
    evaluation, later = names["evaluation"], names["later"]
    counts = evaluation.counts(later).items()
    total = sum(getattr(evaluation, term) * (black - white) for term, (black, white) in counts)

    assert total == evaluation(later) > 10


def test_what_each_term_is_worth_is_as_the_notebook_tells_it(names):
    losses = {term: elo(f"without_{term}") for term in names["TERMS"]}

    for term in ("mobility", "x_squares"):
        assert losses[term].low > 130
        assert 170 < losses[term].value < 210
    for term in ("frontier", "stability"):
        assert losses[term].low > 0
        assert losses[term].value < 100
    for term in ("corners", "c_squares", "parity"):
        assert losses[term].low < 0 < losses[term].high


def test_one_search_loses_against_one_alphabeta_of_depth_4_and_wins_against_another():
    assert elo("uct_400_alphabeta_4").high < -500
    assert elo("uct_400_pos").low > 70
