"""The tree explorer on a page: unfolded and folded, by mouse and by keyboard."""

import re

import numpy as np
from playwright.sync_api import expect

from mctslab import fast, games
from mctslab.widgets import TreeExplorer
from tests.browser.bridge import Bridge
from tests.browser.modules import exports_of
from tests.browser.panel import is_within, shows
from tests.widgets.test_tree_explorer import grow, solved_without_a_visit


def test_nodes_are_unfolded_folded_and_coloured_without_the_kernel(bridge, monkeypatch):
    told = []
    monkeypatch.setattr(Bridge, "_take", lambda *message: told.append(message))
    result = fast.mcts(games.ConnectFour(), num_simulations=400, rng=np.random.default_rng(1))
    explorer = bridge.show(widget := TreeExplorer(result))
    items = explorer.get_by_role("treeitem")
    expect(items).to_have_count(7)  # the root, five moves and the two others
    assert told, "it says that the page was opened"
    told.clear()
    shows(explorer, {"role=status": "6 of the tree's 401 nodes"})
    visits = [
        int(str(label).partition(", N ")[2].partition(",")[0])
        for label in items.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    ]
    assert visits[0] == sum(visits[1:]) == 400
    best, pane = items.nth(1), explorer.locator(".tree")
    best.hover()
    shows(explorer, {".info": re.compile("for Red.*Yellow to move")})
    for is_unfolded, count in (("false", 7), ("true", 13)):
        expect(best).to_have_attribute("aria-expanded", is_unfolded)
        expect(items).to_have_count(count)
        best.click()
    best.click()
    items.nth(2).click()  # a node below it
    shows(explorer, {"role=treeitem[expanded=true]": 3})
    for count in (7, 13, 7):
        best.click()
        expect(items).to_have_count(count)  # the one below was folded as well
    more = explorer.get_by_role("treeitem", name="2 more moves, N ")
    shown = sorted(child.visit_count for child in result.children)[:2]
    expect(more).to_have_attribute("aria-label", f"2 more moves, N {sum(shown)}")
    more.click()
    shows(explorer, {"role=treeitem": 8, "role=treeitem[name=/more move/]": 0})
    explorer.get_by_text("visits", exact=True).click()
    shows(explorer, {".timeline.note": "share of the root's visits"})
    shows(explorer, {f"[aria-level='1'] .card .box[fill='{widget.data['visit_colors'][-1]}']": 1})
    explorer.get_by_role("button", name="Principal variation").click()
    shows(explorer, {".edge.principal": len(result.principal_variation)})
    for card in explorer.locator(".node.card").all():
        assert is_within(card, pane)
    explorer.get_by_role("button", name="Fold all").click()
    expect(items).to_have_count(7)
    best.focus()
    for key, name, value in (
        ("Enter", "expanded", "true"),
        ("Space", "expanded", "false"),
        ("End", "posinset", "6"),
        ("Home", "level", "1"),
    ):
        bridge.page.keyboard.press(key)
        shows(explorer, {f".tree :focus[aria-{name}='{value}']": 1})
    assert not told


# What is on show, whatever is clicked in whatever order

view = exports_of("tree_explorer.js")


def part(view, data, shown):
    """What is on show if some nodes are unfolded, each with so many children, of at most 40."""
    script = """([data, shown]) => {
        const found = unfolded(treeOf(data), new Map(shown), 40);
        return {below: found.below, rest: [...found.rest], isFull: found.isFull};
    }"""
    return view.evaluate(script, [data, list(map(list, shown.items()))])


def test_what_is_on_show_adds_up(view):
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
    # A move that is proven to win is on show without a visit, before those that are proven to lose.
    data = TreeExplorer(solved_without_a_visit()).data
    others = [action != 8 for action in data["nodes"]["action"]]
    data["nodes"]["first_visit_count"] = [9 * is_other for is_other in others]
    data["nodes"]["proven"] = [-1 if is_other else 1 for is_other in others]
    (win,) = part(view, data, {0: 1})["below"][0]
    assert data["nodes"]["action"][win] == 8
