"""The tree explorer on a page: unfolded and folded, by mouse and by keyboard."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from mctslab import games, search
from mctslab.widgets import TreeExplorer
from tests.browser.bridge import Bridge
from tests.browser.modules import exports_of
from tests.browser.panel import box_of, is_within
from tests.widgets.test_tree_explorer import after, grow

CELL = """
import numpy as np
from mctslab import fast, games
from mctslab.widgets import TreeExplorer
result = fast.mcts({game}, num_simulations=400, rng=np.random.default_rng(1))
TreeExplorer(result)
"""


def open_explorer(bridge: Bridge, game: str = "games.ConnectFour()") -> Locator:
    explorer = bridge.show(CELL.format(game=game))
    expect(explorer.get_by_role("treeitem").first).to_be_visible()
    return explorer


def item(explorer: Locator, way: str) -> Locator:
    return explorer.get_by_role("treeitem", name=f"{way}, N ")


def test_nodes_are_unfolded_folded_and_coloured_by_click_without_the_kernel(
    bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    monkeypatch.setattr(Bridge, "_take", lambda *message: told.append(message))
    explorer = open_explorer(bridge)
    assert told, "it says that the page was opened"
    told.clear()
    items, status = explorer.get_by_role("treeitem"), explorer.get_by_role("status")
    expect(items).to_have_count(7)  # the root, five moves and the two others
    expect(status).to_have_text("6 of the tree's 401 nodes")
    visits = [
        int(str(label).partition(", N ")[2].partition(",")[0])
        for label in items.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    ]
    widths = explorer.locator(".edge").evaluate_all(
        "all => all.map(edge => Number(edge.getAttribute('stroke-width')))"
    )
    assert visits[0] == sum(visits[1:]) == 400
    assert widths == pytest.approx([1 + 8 * number / 400 for number in visits[1:]], abs=0.06)
    best = items.nth(1)
    hidden = float(best.locator(".stub").get_attribute("stroke-width") or 0)
    assert hidden == pytest.approx(1 + 8 * (visits[1] - 1) / 400, abs=0.06)
    expect(best).to_have_attribute("aria-expanded", "false")
    best.click()
    expect(best).to_have_attribute("aria-expanded", "true")
    expect(items).to_have_count(13)
    items.nth(2).click()  # a node below it
    best.click()
    expect(items).to_have_count(7)
    best.click()
    expect(items).to_have_count(13)  # the one below was folded as well
    best.click()
    more = explorer.get_by_role("treeitem", name="2 more moves, N ")
    shown = bridge.evaluate("sorted(child.visit_count for child in result.children)[:2]")
    expect(more).to_have_attribute("aria-label", f"2 more moves, N {sum(shown)}")
    more.click()
    expect(items).to_have_count(8)
    expect(more).to_have_count(0)
    colors = bridge.evaluate("_.data['visit_colors']")
    explorer.get_by_text("visits", exact=True).click()
    expect(items.first.locator(".card .box")).to_have_attribute("fill", colors[-1])
    expect(explorer.locator(".note").last).to_contain_text("share of the root's visits")
    explorer.get_by_role("button", name="Principal variation").click()
    line = bridge.evaluate("result.principal_variation")
    expect(explorer.locator(".edge.principal")).to_have_count(len(line))
    explorer.get_by_role("button", name="Fold all").click()
    expect(items).to_have_count(7)
    assert not told


def test_keys_unfold_and_go_to_the_ends_and_the_pane_is_as_high_as_the_tree(bridge: Bridge) -> None:
    explorer = open_explorer(bridge, "games.Reversi()")
    explorer.get_by_label("value").focus()
    keys, focused = bridge.page.keyboard, explorer.locator(".tree :focus")
    for key, name, value in (
        ("Tab", "expanded", "true"),
        ("ArrowDown", "setsize", "4"),
        ("Enter", "expanded", "true"),
        ("ArrowDown", "level", "3"),
        ("ArrowUp", "level", "2"),
        ("Space", "expanded", "false"),
        ("End", "posinset", "4"),
        ("Home", "level", "1"),
    ):
        keys.press(key)
        expect(focused).to_have_attribute(f"aria-{name}", value)
    info = explorer.locator(".info")
    explorer.get_by_role("treeitem").nth(2).hover()
    for fact in ("for Black", "White to move"):
        expect(info).to_contain_text(fact)
    pane = explorer.locator(".tree")
    assert box_of(pane)["height"] < 250, "it is only as high as the tree needs"
    explorer.get_by_role("button", name="Principal variation").click()
    for card in explorer.locator(".node.card").all():
        assert is_within(card, pane)


# What is on show, whatever is clicked in whatever order

view = exports_of("tree_explorer.js")


def part(view: Page, data: dict[str, Any], shown: dict[int, int]) -> Any:
    """What is on show if some nodes are unfolded, each with so many children, of at most 40."""
    script = """([data, shown]) => {
        const found = unfolded(treeOf(data), new Map(shown), 40);
        return {below: found.below, rest: [...found.rest], isFull: found.isFull};
    }"""
    return view.evaluate(script, [data, list(map(list, shown.items()))])


def test_what_is_on_show_adds_up(view: Page) -> None:
    data = TreeExplorer(grow(games.TicTacToe(), 200)).data
    visits, parent = data["nodes"]["first_visit_count"], data["nodes"]["parent"]
    best = max(range(1, len(visits)), key=visits.__getitem__)
    found = part(view, data, {0: 3, best: 4})
    assert [len(found["below"][node]) for node in (0, best)] == [3, 4]
    assert found["below"][0][0] == best
    for node, rest in found["rest"]:
        below = found["below"][node]
        shown = sum(visits[child] for child in below)
        assert shown + rest["visits"] == data["nodes"]["child_visits"][node]
        assert len(below) + rest["number"] == parent.count(node)
    assert not part(view, data, {0: 9})["rest"]
    full = part(view, data, dict.fromkeys(range(len(visits)), 9))
    assert full["isFull"]
    assert sum(map(len, full["below"])) == 39
    # A move that is proven to win is on show without a visit.
    state, rng = after(0, 1, 4, 2), np.random.default_rng(1)
    evaluator = search.uniform_evaluator()
    solved = search.puct_search(state, num_simulations=9, solver=True, evaluator=evaluator, rng=rng)
    (win,) = part(view, TreeExplorer(solved).data, {0: 1})["below"][0]
    assert TreeExplorer(solved).data["nodes"]["action"][win] == 8
