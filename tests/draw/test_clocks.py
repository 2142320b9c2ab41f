"""The charts of what moves cost. How they look is held by the golden charts."""

from dataclasses import dataclass, replace
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from mctslab import draw
from mctslab.draw.ticks import compact, step_between
from tests.draw.drawn import SVG, having


@dataclass(frozen=True)
class Cost:
    player: int
    notation: str = "d3"
    seconds: float | None = None
    num_simulations: int = 0
    num_nodes: int = 0


GAME = (
    Cost(0, "d3", 2.0, num_simulations=400),
    Cost(1, "c3", 0.5, num_nodes=90_000),
    Cost(0, "c4", 1.0, num_simulations=200),
    Cost(1, "pass", None),
    Cost(0, "<&>", 4.0),
)
NAMES = ("Black", "White")


def test_there_is_a_chart_only_of_what_was_measured():
    timed = [replace(move, num_nodes=0, num_simulations=0) for move in GAME]
    untimed = [replace(move, seconds=None) for move in GAME]
    for moves, expected in (
        (GAME, ["Time", "Nodes", "Simulations"]),
        (timed, ["Time"]),
        (untimed, ["Nodes", "Simulations"]),
        ([Cost(0), Cost(1)], []),
        ([], []),
    ):
        drawn = draw.clocks(moves)
        assert [quantity.title for quantity in drawn.quantities] == expected
        assert len(drawn.charts) == len(expected)
    assert "No time was measured and nothing was counted." in drawn._repr_mimebundle_()["text/html"]


def test_the_table_has_every_number():
    drawn = draw.clocks(GAME, NAMES)
    assert drawn.head() == ("Ply", "Side", "Move", "Time", "Nodes", "Simulations")
    rows = list(drawn.rows())
    assert rows[0] == ("1", "Black", "d3", "2.00 s", "", "400")
    assert rows[3] == ("4", "White", "pass", "", "", "")
    assert list(drawn.totals()) == [
        ("", "Black", "in total", "7.00 s", "none", "600"),
        ("", "White", "in total", "0.50 s", "90,000", "none"),
    ]
    page = drawn._repr_mimebundle_()["text/html"]
    assert page.count("<tr>") == 1 + 5 + 2
    assert "&lt;&amp;&gt;" in page
    assert "<&>" not in page


times = st.none() | st.floats(0, 1e5)
costs = st.builds(
    Cost, st.integers(0, 1), st.just("a1"), times, st.integers(0, 10**9), st.integers(0, 10**12)
)


@given(st.lists(costs, max_size=300))
def test_nothing_leaves_its_picture(moves):
    for chart in draw.clocks(moves).charts:
        for bar in having(chart, "data-ply").values():
            y, height = float(bar.get("y", "")), float(bar.get("height", ""))
            assert 40 <= y <= y + height <= 170
        for text in ElementTree.fromstring(chart).iter(f"{SVG}text"):
            assert 0 <= float(text.get("x") or 0) <= 340
            assert 0 <= float(text.get("y") or 0) <= 206


@given(st.floats(1e-9, 1e12), st.integers(1, 10))
def test_steps_are_round_and_no_more_than_asked_for(extent, most):
    step = step_between(extent, most)
    assert extent <= step * most * (1 + 1e-9)
    assert step <= 2.5 * extent / most * (1 + 1e-9)
    assert f"{step:.12e}".partition("e")[0].rstrip("0") in ("1.", "2.", "5.")


def test_large_numbers_are_short_on_the_axis():
    assert [*map(compact, (9_000, 10_000, 250_000, 1e6))] == ["9,000", "10k", "250k", "1M"]
