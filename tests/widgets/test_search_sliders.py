"""The sliders over a search with real widgets and without a browser."""

import numpy as np
import pytest

from mctslab import fast, search
from mctslab.games import ConnectFour, Gomoku, TicTacToe
from mctslab.widgets import SearchSliders
from mctslab.widgets.search_sliders import SQRT_2, UCT_SLIDERS
from tests.widgets.browser_messages import command, record_messages, see


def visits(result):
    return {child.action: child.visit_count for child in result.children}


@pytest.fixture
def uct():
    sliders = SearchSliders(ConnectFour(), num_simulations=300)
    see(sliders)
    return sliders


@pytest.fixture
def guided():
    evaluator = search.with_priors(search.rollout_evaluator(), search.gomoku_prior)
    return SearchSliders(
        Gomoku(size=6, in_a_row=4), evaluator=evaluator, num_simulations=60, seed=3
    )


def test_a_move_of_c_gives_the_search_with_that_c_and_the_same_seed(uct):
    for c in (0.5, 4.0, SQRT_2):
        place_of_c = UCT_SLIDERS[0].stops.index(c)
        command(uct, "move", places={"c": place_of_c})
        rule, rng = search.ucb1(c), np.random.default_rng(1)
        again = fast.mcts(ConnectFour(), num_simulations=300, selection=rule, rng=rng)
        assert visits(uct.result) == visits(again)
        assert (uct.settings, uct.places) == ({"c": c}, {"c": place_of_c})
        most = max(visits(again).values())
        assert f"which has {most:,} of 300 visits" in uct.sentence
        assert uct.table[1][1] == str(most)
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
    def again(rule, noise=None):
        return visits(
            fast.puct_search(
                guided._state,
                evaluator=guided._evaluator,
                num_simulations=60,
                selection=rule,
                noise=noise,
                rng=np.random.default_rng(3),
            )
        )

    before = visits(guided.result)
    assert before == again(search.puct(1.25))
    guided.move(c=3.0, fpu=-1.0)
    assert visits(guided.result) == again(search.puct(3.0, fpu=-1.0)) != before
    guided.move(fpu="parent", weight=0.5, alpha=1.0)
    noise = search.DirichletNoise(1.0, 0.5)
    assert visits(guided.result) == again(search.puct(3.0, fpu="parent"), noise)


def test_the_temperature_changes_the_chances_and_not_the_visits(guided):
    before = visits(guided.result)
    assert [row[3] for row in guided.table[1:3]] == ["100%", "0%"]
    guided.move(temperature=1.0)
    assert visits(guided.result) == before
    first = guided.table[1]
    share = int(first[1].replace(",", "")) / sum(before.values())
    assert first[3] == f"{share:.0%}"
    played = set()
    for seed in range(20):
        guided._seed = seed
        guided.move(c=5.0)
        played.add(guided.sentence.split(",")[0])
    assert len(played) > 1


def test_without_a_temperature_all_columns_of_connect_four_stand_there_with_visits_and_q(uct):
    assert uct.table[0] == ["move", "visits", "Q"]
    assert sorted(row[0] for row in uct.table[1:]) == list("1234567")
    assert {len(row) for row in uct.table} == {3}


def test_where_a_slider_cannot_stand_is_said_and_nothing_moves(uct, monkeypatch):
    before = uct.settings
    with pytest.raises(ValueError, match=r"c=7 is not on the slider, which has 0 to 4"):
        uct.move(c=7)
    with pytest.raises(ValueError, match="There is no slider 'fpu': c"):
        uct.move(c=0.5, fpu=0.0)
    messages = record_messages(uct, monkeypatch)
    command(uct, "move", places={"c": 1_000})
    assert uct.message.startswith("IndexError")
    assert messages[0]["content"] == {"answer": "moved"}, "the page would wait for ever"
    assert uct.settings == before
    uct.move(c=0.5)
    assert uct.message == ""


def test_a_game_that_is_not_compiled_has_no_sliders():
    class Own(TicTacToe):
        def legal_actions(self):
            return super().legal_actions()

    with pytest.raises(ValueError, match="not fast enough for sliders, because legal_actions"):
        SearchSliders(Own())
