"""The tree on the page: its layout, what has room in it, and where its card goes."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.browser.modules import Module, exports_of

tree = exports_of("tree.js")


def some_tree(rng: np.random.Generator, size: int) -> list[list[int]]:
    """The children of each node; most nodes hang near the root."""
    below: list[list[int]] = [[] for _ in range(size)]
    for node in range(1, size):
        below[int(node * rng.random() ** 2)].append(node)
    return below


@pytest.mark.parametrize("size", [1, 2, 9, 60, 250])
def test_no_card_covers_another_and_parents_are_above_the_middle(tree: Module, size: int) -> None:
    rng = np.random.default_rng(size)
    below = some_tree(rng, size)
    widths = rng.integers(20, 90, size).tolist()
    laid = tree.run("([below, widths]) => layOut(below, (node) => widths[node])", [below, widths])
    places, order = laid["places"], tree.run("below => inOrder(below)", below)
    rows: dict[int, list[int]] = {}
    for node in order:
        rows.setdefault(places[node]["depth"], []).append(node)
        xs = [places[child]["x"] for child in below[node]]
        assert {places[child]["depth"] for child in below[node]} <= {places[node]["depth"] + 1}
        if xs:
            assert places[node]["x"] == pytest.approx((xs[0] + xs[-1]) / 2)
    for row in rows.values():
        for left, right in pairwise(row):
            apart = places[right]["x"] - places[left]["x"]
            assert apart >= (widths[left] + widths[right]) / 2 + 5.99
    left = min(place["x"] - width / 2 for place, width in zip(places, widths, strict=True))
    right = max(place["x"] + width / 2 for place, width in zip(places, widths, strict=True))
    assert (left, right) == pytest.approx((0, laid["width"]))
    assert laid["depth"] == max(rows)
    if size == 250:
        widest = max(sum(widths[node] + 6 for node in row) for row in rows.values())
        assert laid["width"] < 1.6 * widest


def rows_of_nodes(rng: np.random.Generator) -> list[dict[str, Any]]:
    sizes = (("card", 52, 46), ("chip", 22, 18))
    kinds = [{"kind": kind, "width": width, "height": height} for kind, width, height in sizes]
    xs = np.sort(rng.uniform(0, 700, int(rng.integers(1, 30)))).tolist()
    return [
        {
            "node": node,
            "x": x,
            "kinds": kinds,
            "weight": int(rng.integers(20)),
            "isNeeded": node == 0,
        }
        for node, x in enumerate(xs)
    ]


def test_what_is_shown_covers_nothing_else_and_labels_stay_where_there_is_room(
    tree: Module,
) -> None:
    rng = np.random.default_rng(11)
    num_labelled = 0
    for _ in range(40):
        nodes = rows_of_nodes(rng)
        shown = sorted(tree.run("row => fillRow(row, 700, 4)", nodes), key=lambda one: one["x"])
        assert next(one for one in shown if one["node"] == 0)["kind"] == "card"
        for left, right in pairwise(shown):
            if {left["kind"], right["kind"]} != {"dot"}:
                assert right["x"] - left["x"] >= (left["width"] + right["width"]) / 2
        for one, two, three in zip(shown, shown[1:], shown[2:], strict=False):
            if two["x"] - one["x"] > 60 and three["x"] - two["x"] > 60:
                assert two["kind"] != "dot"
                num_labelled += 1
    assert num_labelled > 20


def test_a_card_of_numbers_covers_neither_its_node_nor_the_siblings(tree: Module) -> None:
    for node in range(7):
        at = {"node": node, "x": 60 + 100 * node, "y": 150, "width": 52, "height": 46}
        script = "at => freePlace(at, {width: 250, height: 110}, {width: 700})"
        place = tree.run(script, at)
        assert 0 <= place["left"] <= 450
        assert place["top"] >= 173 or place["top"] + 110 <= 127
