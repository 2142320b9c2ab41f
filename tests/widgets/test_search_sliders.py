"""The sliders over a search, wherever they stand, held against the search that they should make."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import fast, search
from mctslab.games import ConnectFour
from mctslab.search.result import draw_action
from mctslab.widgets import SearchSliders
from mctslab.widgets.search_sliders import MOST_ROWS
from tests.browser.examples import FOUR, THREATS
from tests.widgets.browser_messages import command, record_messages, see

SEED = 1
"""With it, the move that is drawn depends on the temperature."""


def make(kind):
    if kind == "UCT":
        return SearchSliders(ConnectFour(), num_simulations=60, seed=SEED)
    return SearchSliders(FOUR, evaluator=THREATS, num_simulations=60, seed=SEED)


def searched(kind, at, further=0):
    """The search that the sliders should make, or one that goes further."""
    number, rng = at["simulations"] + further, np.random.default_rng(SEED)
    if kind == "UCT":
        rule = search.ucb1(at["c"])
        return fast.mcts(ConnectFour(), num_simulations=number, selection=rule, rng=rng)
    noise = search.DirichletNoise(at["alpha"], at["weight"]) if at["weight"] else None
    return fast.puct_search(
        FOUR, evaluator=THREATS, num_simulations=number, rng=rng,
        selection=search.puct(at["c"], fpu=at["fpu"]), noise=noise,
    )  # fmt: skip


def visits(result):
    return {child.action: child.visit_count for child in result.children}


def number_of(text):
    return float(text.replace("−", "-").removesuffix("%"))


@pytest.mark.parametrize("kind", ["UCT", "PUCT"])
@settings(max_examples=12)
@given(data=st.data())
def test_wherever_the_sliders_stand_the_page_shows_that_search(kind, data):
    sliders = make(kind)
    see(sliders)
    stops = {name: slider.stops for name, slider in sliders._sliders.items()}
    places = {name: data.draw(st.integers(0, len(each) - 1)) for name, each in stops.items()}
    command(sliders, "move", places=places)
    at = {name: stops[name][place] for name, place in places.items()}
    assert (sliders.message, sliders.places, sliders._settings) == ("", places, at)
    result, state = searched(kind, at), sliders._state
    counts, rule, name_of = visits(result), sliders._rule, state.action_to_string
    assert visits(sliders._result) == counts
    most = max(counts.values())
    assert f"N {most}" in sliders.tree
    assert f">{most}<" in sliders.board

    # The next simulation goes to the marked move, unless UCT still draws an untried one.
    then = visits(searched(kind, at, further=1))
    (tried,) = (action for action in then if then[action] != counts.get(action, 0))
    is_drawn = kind == "UCT" and not result.root.is_fully_expanded
    children = {name_of(each.action or 0): each for each in result.root.children}
    scores = {name: rule.score(result.root, each) for name, each in children.items()}
    name = sliders.sentence.removesuffix(".").rpartition(" tries ")[2]
    rows, head = sliders.table["rows"], sliders.table["head"]
    assert [row["cells"][0] for row in rows if row["is_next"]] == [name] * (not is_drawn)
    if is_drawn:
        assert name == "a new move, drawn at random"
    elif at.get("weight"):  # the priors of a result are those without the noise
        assert name == name_of(tried)
        assert max(rows, key=lambda row: sum(row["score"]))["is_next"]
    else:  # equal up to the last bit, which differs in both searches
        assert scores[name].total == pytest.approx(scores[name_of(tried)].total)

    # The parts of every score. The last row can be the next move instead of one with more visits.
    assert len(rows) == min(len(children), MOST_ROWS)
    by_visits = sorted(counts.values(), reverse=True)
    assert [int(row["cells"][1]) for row in rows[:-1]] == by_visits[: len(rows) - 1]
    temperature = at.get("temperature", 0.0)
    chances = search.visit_probabilities(result.children, temperature)
    chance_of = dict(zip(map(name_of, counts), chances, strict=True))
    for row in rows:
        cells = dict(zip(head, row["cells"], strict=True))
        move = cells["move"]
        assert cells["visits"] == str(children[move].visit_count)
        if not at.get("weight"):
            assert row["score"] == pytest.approx([*scores[move]])
        texts = [cells[part] for part in (*sliders.table["parts"], "sum")]
        assert not {"+0.000", "−0.000"}.intersection(texts)
        parts = [number_of(text) for text in texts]
        assert parts == pytest.approx([*row["score"], sum(row["score"])], abs=0.00051)
        if kind == "PUCT":
            assert number_of(cells["is played"]) == pytest.approx(100 * chance_of[move], abs=0.51)
    assert ("is played" in head, "prior" in head) == 2 * (kind == "PUCT",)

    # The move that is played.
    played, has, _ = sliders.sentence.partition(", which has ")
    action = state.string_to_action(played.removeprefix("Plays "))
    assert sliders.sentence.startswith(f"{played}{has}{counts[action]} of {at['simulations']} ")
    if kind == "PUCT":
        assert action == draw_action(result.children, temperature, np.random.default_rng(SEED))
    assert temperature > 0 or counts[action] == most


def test_everything_is_sent_at_once_and_what_is_not_on_a_slider_moves_nothing(monkeypatch):
    sliders = make("UCT")
    messages = record_messages(sliders, monkeypatch)
    command(sliders, "move", places={"c": 0})
    shown, answer = messages
    assert sorted(shown["state"]) == ["board", "places", "sentence", "table", "tree"]
    assert answer["content"] == {"answer": "moved"}
    before = dict(sliders._settings)
    messages.clear()
    command(sliders, "move", places={"c": 1_000})
    assert sliders.message.startswith("IndexError")
    assert messages[0]["content"] == {"answer": "moved"}, "the page would wait for ever"
    assert sliders._settings == before
    command(sliders, "move", places={"c": 10})
    assert (sliders.message, sliders._settings["c"]) == ("", 0.5)
