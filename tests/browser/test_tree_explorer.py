"""The tree explorer on a page: unfolded and folded, by mouse and by keyboard."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mctslab import games
from mctslab.widgets import TreeExplorer
from tests.browser.bridge import Bridge
from tests.browser.cells import TOP
from tests.browser.modules import exports_of
from tests.browser.panel import box_of, is_within
from tests.widgets.test_tree_explorer import grow, solved_without_a_visit

CELL = f"""{TOP}
from mctslab import fast
result = fast.mcts(games.ConnectFour(), num_simulations=400, rng=rng)
widgets.TreeExplorer(result)"""


def test_nodes_are_unfolded_folded_and_coloured_without_the_kernel(
    bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    monkeypatch.setattr(Bridge, "_take", lambda *message: told.append(message))
    explorer = bridge.show(CELL)
    items, status = explorer.get_by_role("treeitem"), explorer.get_by_role("status")
    expect(items).to_have_count(7)  # the root, five moves and the two others
    assert told, "it says that the page was opened"
    told.clear()
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
    best, pane = items.nth(1), explorer.locator(".tree")
    hidden = float(best.locator(".stub").get_attribute("stroke-width") or 0)
    assert hidden == pytest.approx(1 + 8 * (visits[1] - 1) / 400, abs=0.06)
    assert box_of(pane)["height"] < 250, "it is only as high as the tree needs"
    best.hover()
    for fact in ("for Red", "Yellow to move"):
        expect(explorer.locator(".info")).to_contain_text(fact)
    for is_unfolded, count in (("false", 7), ("true", 13)):
        expect(best).to_have_attribute("aria-expanded", is_unfolded)
        expect(items).to_have_count(count)
        best.click()
    expect(items).to_have_count(7)
    best.click()
    expect(items).to_have_count(13)
    items.nth(2).click()  # a node below it
    expect(items.nth(2)).to_have_attribute("aria-expanded", "true")
    for count in (7, 13, 7):
        best.click()
        expect(items).to_have_count(count)  # the one below was folded as well
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
    for card in explorer.locator(".node.card").all():
        assert is_within(card, pane)
    explorer.get_by_role("button", name="Fold all").click()
    expect(items).to_have_count(7)
    focused = explorer.locator(".tree :focus")
    best.focus()
    for key, name, value in (
        ("Enter", "expanded", "true"),
        ("Space", "expanded", "false"),
        ("End", "posinset", "6"),
        ("Home", "level", "1"),
    ):
        bridge.page.keyboard.press(key)
        expect(focused).to_have_attribute(f"aria-{name}", value)
    assert not told


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
    data = TreeExplorer(solved_without_a_visit()).data
    (win,) = part(view, data, {0: 1})["below"][0]
    assert data["nodes"]["action"][win] == 8
