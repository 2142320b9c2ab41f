"""The sliders over a search with real widgets and without a browser."""

import numpy as np
import pytest

from mctslab import fast, search
from mctslab.games import ConnectFour, Gomoku
from mctslab.widgets import SearchSliders
from mctslab.widgets.search_sliders import MOST_ROWS, SQRT_2, UCT_SLIDERS
from tests.widgets.browser_messages import command, record_messages, see

EVALUATOR = search.with_priors(search.rollout_evaluator(), search.gomoku_prior)
SMALL = Gomoku(size=6, in_a_row=4)


def visits(result):
    return {child.action: child.visit_count for child in result.children}


def column(table, name):
    """The cells of a column of the table."""
    place = table["head"].index(name)
    return [row["cells"][place] for row in table["rows"]]


@pytest.fixture
def uct():
    sliders = SearchSliders(ConnectFour(), num_simulations=300)
    see(sliders)
    return sliders


@pytest.fixture
def guided():
    return SearchSliders(SMALL, evaluator=EVALUATOR, num_simulations=60, seed=3)


def searched(rule, number=60, noise=None):
    """The search that the sliders of `guided` should make."""
    return fast.puct_search(
        SMALL,
        evaluator=EVALUATOR,
        num_simulations=number,
        selection=rule,
        noise=noise,
        rng=np.random.default_rng(3),
    )


def test_a_move_of_c_gives_the_search_with_that_c_and_the_same_seed(uct):
    for c in (0.5, 4.0, SQRT_2):
        places = {**uct.places, "c": UCT_SLIDERS[0].stops.index(c)}
        command(uct, "move", places=places)
        rule, rng = search.ucb1(c), np.random.default_rng(1)
        again = fast.mcts(ConnectFour(), num_simulations=300, selection=rule, rng=rng)
        assert visits(uct.result) == visits(again)
        assert uct.settings == {"simulations": 300, "c": c}
        assert uct.places == places
        most = max(visits(again).values())
        assert f"which has {most:,} of 300 visits" in uct.sentence
        assert column(uct.table, "visits")[0] == str(most)
        assert f"N {most}" in uct.tree
        assert f">{most}<" in uct.board
    assert uct.still_svg() == uct.tree
    assert uct.still_note().startswith(uct.sentence)


def test_everything_is_sent_at_once(uct, monkeypatch):
    messages = record_messages(uct, monkeypatch)
    command(uct, "move", places={"c": 0})
    shown, answer = messages
    assert sorted(shown["state"]) == ["board", "places", "sentence", "table", "tree"]
    assert answer["content"] == {"answer": "moved"}


def test_every_slider_of_puct_does_what_its_search_does(guided):
    before = visits(guided.result)
    assert before == visits(searched(search.puct(1.25)))
    guided.move(c=3.0, fpu=-1.0)
    assert visits(guided.result) == visits(searched(search.puct(3.0, fpu=-1.0))) != before
    guided.move(fpu="parent", weight=0.5, alpha=1.0, simulations=40)
    rule, noise = search.puct(3.0, fpu="parent"), search.DirichletNoise(1.0, 0.5)
    assert visits(guided.result) == visits(searched(rule, 40, noise))


def test_the_marked_move_is_the_one_that_the_next_simulation_tries(guided):
    rule = search.puct(1.25)
    for number in (2, 3, 17, 18, 37):
        guided.move(simulations=number)
        before, after = (visits(searched(rule, each)) for each in (number, number + 1))
        (expected,) = (action for action in after if after[action] != before.get(action, 0))
        (marked,) = (row for row in guided.table["rows"] if row["is_next"])
        assert marked["cells"][0] == SMALL.action_to_string(expected)
        assert f"The next simulation tries {marked['cells'][0]}." in guided.sentence
        highest = max(guided.table["rows"], key=lambda row: sum(row["score"]))
        assert sum(marked["score"]) == sum(highest["score"])
        assert len(guided.table["rows"]) == MOST_ROWS


def test_the_table_has_the_parts_of_every_score(uct, guided):
    assert guided.table["head"] == ["move", "visits", "prior", "Q", "U", "sum", "is played"]
    root = guided.result.root
    for row in guided.table["rows"]:
        name, count, _, q, u, total, _ = row["cells"]
        child = next(c for c in root.children if SMALL.action_to_string(c.action) == name)
        bonus = 1.25 * child.prior * 60**0.5 / (1 + child.visit_count)
        assert row["score"] == pytest.approx([child.mean_value, bonus])
        expected = child.mean_value, bonus, child.mean_value + bonus
        shown = [float(text.replace("−", "-")) for text in (q, u, total)]
        assert shown == pytest.approx(expected, abs=0.00051)
        assert count == str(child.visit_count)
    assert uct.table["head"] == ["move", "visits", "win rate", "bonus", "sum"]
    assert sorted(column(uct.table, "move")) == list("1234567")
    uct.move(simulations=4)  # UCT still draws an untried move
    assert len(uct.table["rows"]) == 4
    assert not any(row["is_next"] for row in uct.table["rows"])
    assert uct.sentence.endswith("The next simulation tries a new move, drawn at random.")
    best = max(uct.result.children, key=lambda child: (child.visit_count, child.mean_value))
    assert uct.sentence.startswith(f"Plays {best.action + 1},")  # among equals, too


def test_the_temperature_changes_the_chances_and_not_the_visits(guided):
    before = visits(guided.result)
    assert column(guided.table, "is played")[:2] == ["100%", "0%"]
    guided.move(temperature=1.0)
    assert visits(guided.result) == before
    share = int(column(guided.table, "visits")[0]) / sum(before.values())
    assert column(guided.table, "is played")[0] == f"{share:.0%}"
    played = set()
    for seed in range(20):
        guided._seed = seed
        guided.move(c=5.0)
        played.add(guided.sentence.split(",")[0])
    assert len(played) > 1


def test_some_sliders_can_be_left_out():
    sliders = SearchSliders(
        SMALL, evaluator=EVALUATOR, num_simulations=60, seed=3, only=("simulations", "c")
    )
    assert [slider["name"] for slider in sliders.sliders] == ["simulations", "c"]
    assert "is played" not in sliders.table["head"]
    sliders.move(c=2.0)
    assert visits(sliders.result) == visits(searched(search.puct(2.0)))
    with pytest.raises(ValueError, match="There is no slider 'fpu': simulations, c"):
        sliders.move(fpu=0.0)


def test_where_a_slider_cannot_stand_is_said_and_nothing_moves(uct, monkeypatch):
    before = uct.settings
    with pytest.raises(ValueError, match=r"c=7 is not on the slider, which has 0 to 4"):
        uct.move(c=7)
    with pytest.raises(ValueError, match="There is no slider 'fpu': simulations, c"):
        uct.move(c=0.5, fpu=0.0)
    messages = record_messages(uct, monkeypatch)
    command(uct, "move", places={"c": 1_000})
    assert uct.message.startswith("IndexError")
    assert messages[0]["content"] == {"answer": "moved"}, "the page would wait for ever"
    assert uct.settings == before
    uct.move(c=0.5)
    assert uct.message == ""
