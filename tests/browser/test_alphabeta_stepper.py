"""The alpha-beta stepper: its search compared with the package's, and stepped by mouse and keys."""

from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab.search import WIN, alpha_beta
from mctslab.widgets import AlphaBetaStepper
from mctslab.widgets.alphabeta_stepper import MOST_LEAVES
from tests.browser.examples import THREE
from tests.browser.modules import exports_of
from tests.browser.panel import middle_of, node, shows
from tests.search.toys import Turn, WrittenOut

STEPS, CUT_AT = 17, 9

# The search, without a page

script = exports_of("alphabeta_stepper.js")

SEARCHED = """([nodes, order]) => {
    const steps = searched(nodes, order);
    const cut = [...seenAt(nodes, order, steps, steps.length - 1).cut];
    const told = steps.map(({ window, bounds, ...step }) =>
        ({ ...step, window: window.map(String), bounds: bounds.map(String) }));
    return [told, cut];
}"""
"""The steps, with infinite numbers as texts, which Python's `float` reads, and what is cut off."""

turns = st.deferred(
    lambda: st.builds(
        Turn,
        st.integers(0, 1),
        st.lists(st.integers(-5, 5) | turns, min_size=1, max_size=3).map(tuple),
    )
)


def num_leaves(place):
    return sum(map(num_leaves, place.options)) if isinstance(place, Turn) else 1


def worth(nodes, order, place=0):
    """Minimax."""
    if (leaf := nodes[place]["leaf"]) is not None:
        return float(leaf)
    best = (max, min)[nodes[place]["player"]]
    return best(worth(nodes, order, child) for child in order[place])


@settings(max_examples=40)
@given(turns.filter(lambda place: num_leaves(place) <= MOST_LEAVES))
def test_it_is_the_package_s_search_and_bounds_hold_the_value_of_minimax(script, place):
    stepper = AlphaBetaStepper(WrittenOut(place))
    nodes, order = stepper.nodes, stepper.order
    steps, cut = script.evaluate(SEARCHED, [nodes, order])
    found = alpha_beta(WrittenOut(place), 99)

    assert list(map(float, steps[-1]["bounds"])) == 2 * [worth(nodes, order)]
    assert found.value == WIN * worth(nodes, order)
    visited = [step["node"] for step in steps if step["kind"] != "back"]
    assert len(visited) == found.num_nodes
    for step in steps:
        low, high = map(float, step["bounds"])
        assert low <= worth(nodes, order, step["node"]) <= high
        alpha, beta = map(float, step["window"])
        assert not step["cut"] or alpha >= beta
    assert sorted([*visited, *cut]) == list(range(len(nodes))), "each is visited or cut off"


def test_each_step_is_told_in_a_sentence(script):
    stepper = AlphaBetaStepper(THREE)
    told = script.evaluate(
        """([nodes, order, players]) => {
            const steps = searched(nodes, order);
            return steps.map((_, at) => sentenceOf(nodes, players, steps, at));
        }""",
        [stepper.nodes, stepper.order, stepper.players],
    )
    assert told[0] == "At the root First is to move. Nothing is sure yet: α = −∞, β = +∞."
    assert told[6] == "With a, First is sure of +3, so α rises to +3."
    assert told[CUT_AT] == (
        "With a, Second limits the value to +2, so β falls to +2. Now α ≥ β: First has +3 "
        "elsewhere and will avoid b. The remaining 2 moves are cut off."
    )
    assert told[-1].endswith("the root is worth +3, and 5 of 7 leaves were evaluated.")


# On the page


def test_a_step_shows_its_window_and_cuts_and_a_move_is_put_before_the_others(bridge):
    root = bridge.show(stepper := AlphaBetaStepper(THREE))
    shows(root, {".place": f"Step 1 of {STEPS}"})
    root.get_by_label("Step", exact=True).fill(str(CUT_AT))
    shows(root, {"role=status": "The remaining 2 moves are cut off.", ".card.is-cut": 2})
    shows(root, {".bars": 2, ".window.is-closed": 1, "[data-node='6'][aria-label='b: cut off']": 1})
    shows(root, {"[aria-label='b: ≤ +2, α +3  β +2'][aria-selected=true]": "α +3 β +2"})
    shows(root, {".count": "3 of 7 leaves evaluated so far", ".count .whole": "5"})
    bridge.wait_until(lambda: stepper.at == CUT_AT)
    node(root, 4).click()
    shows(root, {".count .whole": "7", ".count": "in the order before it 5"})
    bridge.wait_until(lambda: stepper.order[0] == [4, 1, 8])
    xs = [middle_of(node(root, each))[0] for each in (4, 1, 8)]
    assert xs == sorted(xs)
    root.get_by_role("button", name="First order").click()
    shows(root, {".count .whole": "5"})
    node(root, 8).press("Enter")
    shows(root, {"[data-node='8'][aria-posinset='1']:focus": 1})
    bridge.wait_until(lambda: stepper.order[0] == [8, 1, 4])
