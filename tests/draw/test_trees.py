"""Drawn trees: what each node says, what is marked, and that nothing is too much for them."""

from xml.etree import ElementTree

import numpy as np

from mctslab import draw
from mctslab.boards.style import value_color
from mctslab.draw.colors import PRINCIPAL
from mctslab.games import Gomoku, TicTacToe
from mctslab.search import mcts, minimax, puct_search, uniform_evaluator
from tests.draw.drawn import (
    SVG,
    Counting,
    card_of,
    drawn_nodes,
    grow,
    small_tree,
    texts_of,
    visited_root,
)  # fmt: skip
from tests.search.toys import play


def fill_of(node: ElementTree.Element) -> str:
    return card_of(node).get("fill", "")


def all_cards(picture: str) -> list[list[str]]:
    return [texts_of(node) for node in drawn_nodes(picture)]


def stubs(picture: str) -> list[list[str]]:
    """The words that stand for children left out."""
    groups = ElementTree.fromstring(picture).iter(f"{SVG}g")
    return [texts_of(group) for group in groups if group.get("class", "").startswith("node more")]


def marked(picture: str) -> list[list[str]]:
    """Heading and visits of the nodes that are marked as the principal variation."""
    nodes = drawn_nodes(picture)
    return [texts_of(node)[:2] for node in nodes if card_of(node).get("stroke") == PRINCIPAL]


def test_a_card_says_who_moves_or_what_was_played_and_its_numbers():
    """Colours, corners and stones of these cards are among the golden pictures."""
    picture = draw.tree(small_tree()).svg
    nodes = drawn_nodes(picture)
    assert all_cards(picture) == [
        ["Ann & Bob to move", "N 10", "value +0.40"],
        ['<0>\\N & "x"', "N 6", "Q +0.75"],
        ['<1>\\N & "x"', "N 4", "Q 0.00", "draw"],
        ['<1>\\N & "x"', "N 3", "Q −0.50"],
        ['<0>\\N & "x"', "N 1", "Q −1.00", "Ann & Bob wins"],
        ["pass", "N 1", "Q +1.00"],
    ]
    assert (fill_of(nodes[0]), fill_of(nodes[-1])) == (value_color(0.4), value_color(1.0))
    assert [node.findtext(f"{SVG}title") for node in nodes[:2]] == [
        "Ann & Bob to move, 10 visits, mean value +0.40 for Ann & Bob (win rate 70%)",
        '<0>\\N & "x", 6 visits, mean value +0.75 for Ann & Bob (win rate 88%),'
        " 1 move not tried yet",
    ]
    assert marked(picture) == [texts_of(node)[:2] for node in nodes[:3]]
    # After a move was played its node becomes the root, and its mover is the other player.
    reused = small_tree().children[0]
    reused.parent = None
    assert reused.mover == 0
    assert all_cards(draw.tree(reused).svg)[0] == ["<Eve> to move", "N 6", "value −0.20"]


def test_the_principal_variation_is_drawn_before_heavier_nodes_of_other_lines():
    root = visited_root(Counting(width=9), visit_count=1_000)
    best, other = grow(root, 0, 400), grow(root, 1, 390)
    for action in range(9):
        grow(best, action, 44)
    for _ in range(5):
        other = grow(other, 0, 380)
    line = marked(draw.tree(root, max_nodes=5).svg)
    assert [visits for _, visits in line] == ["N 1,000", "N 400", "N 44"]
    # It is not drawn beyond the limits that were asked for.
    assert len(marked(draw.tree(root, depth=1).svg)) == 2


def test_a_tree_shows_itself_and_several_share_one_legend():
    drawn = draw.tree(visited_root(TicTacToe(), visit_count=1))
    bundle = drawn._repr_mimebundle_()
    assert bundle["image/svg+xml"] == drawn.svg
    assert bundle["text/plain"] == "<search tree: all 1 node of the tree>"
    (place,) = ElementTree.fromstring(bundle["text/html"]).iter("span")
    assert "left:50.0%" in place.get("style", ""), "the page scrolls to the middle of the root"
    legend, other = ">Q, the mean value for the player", ">Result for X"
    trees = {"small": draw.tree(small_tree()), "one": drawn}
    assert drawn.svg.count(legend) == 1
    assert draw.side_by_side(trees)._repr_mimebundle_()["text/html"].count(legend) == 1
    game = draw.game_tree(LATE)
    page = draw.side_by_side(trees | {"game": game})._repr_mimebundle_()["text/html"]
    assert (page.count(legend), page.count(other)) == (2, 1), "their colours differ in meaning"


def test_never_more_than_300_nodes_and_it_says_so():
    assert len(drawn_nodes(draw.game_tree(Gomoku(), depth=3, boards=False).svg)) <= 300
    root = visited_root(Counting(width=400), visit_count=500)
    for action in range(400):
        grow(root, action)
    drawn = draw.tree(root, top=10_000, max_nodes=10_000)
    assert len(drawn_nodes(drawn.svg)) <= 300
    assert drawn.caption.endswith("max_nodes is 10,000, but no drawing has more than 300")


# Game trees


# X a1 a2 c2 b3, O b1 b2 c3; c1 and a3 are free
LATE = play(TicTacToe(), [0, 1, 3, 4, 5, 8, 7])


def test_what_is_proven_stands_in_the_place_of_the_mean():
    root = small_tree()
    for child, proven in zip(root.children, (None, -1.0, 0.0), strict=True):
        child.proven = proven
    first, *nodes = drawn_nodes(draw.tree(root).svg)
    (lost,) = (node for node in nodes if texts_of(node)[1:] == ["N 3", "proven loss"])
    assert fill_of(lost) == value_color(-1.0)
    assert "proven loss for Ann & Bob" in "".join(lost.itertext())
    assert texts_of(first)[-1] == "value +0.40"  # the first move may be better than the draw
    root.children[0].proven = -1.0
    first, *_ = drawn_nodes(draw.tree(root).svg)
    assert (texts_of(first)[-1], fill_of(first)) == ("proven draw", value_color(0.0))


def test_a_win_that_needed_no_visit_is_drawn_where_it_decides():
    """What PUCT proves when it expands a position: there the winning move has no visit."""
    state = play(TicTacToe(), [0, 1, 4, 2])  # X a1 b2, O b1 c1; X wins with c3 (8)
    options = {"solver": True, "rng": np.random.default_rng(1)}
    result = puct_search(state, evaluator=uniform_evaluator(), num_simulations=40, **options)
    assert result.num_simulations == 1
    picture = draw.tree(result).svg
    root, win = drawn_nodes(picture)
    assert stubs(picture) == [["+4 more"]]
    assert texts_of(root)[-1] == "proven win"
    assert fill_of(root) == fill_of(win) == value_color(1.0)
    assert {"c3", "N 0", "Q +1.00", "X wins"} <= set(texts_of(win))
    assert card_of(win).get("stroke") == PRINCIPAL
    # O can't block all of a3, c2 and c3. Two of the losses are drawn, each with its reason.
    lost = state.child(3)
    result = puct_search(lost, evaluator=uniform_evaluator(), num_simulations=4, **options)
    cards = all_cards(draw.tree(result, top=2).svg)
    assert sum("proven loss" in card for card in cards) == 2
    assert sum({"N 0", "X wins"} <= set(card) for card in cards) >= 2


def test_a_game_tree_has_the_values_and_colours_of_the_moves_of_an_exact_search():
    drawn = draw.game_tree(LATE, values=minimax, for_mover=True)
    nodes = drawn_nodes(drawn.svg)
    assert [texts_of(node) for node in nodes] == [
        ["O to move", "value 0.00"],
        ["c1", "value −1.00"],
        ["a3", "value 0.00"],
        ["a3", "value +1.00", "X wins"],
        ["c1", "value 0.00", "draw"],
    ]
    plain = draw.game_tree(LATE, for_mover=True)
    assert plain.legend == "Result for the player who made the move, where the game is over"
    rng = np.random.default_rng(1)
    exact = mcts(LATE, num_simulations=50, solver=True, rng=rng)
    searched = {
        texts_of(node)[0]: fill_of(node) for node in drawn_nodes(draw.tree(exact, depth=1).svg)
    }
    assert searched == {texts_of(node)[0]: fill_of(node) for node in nodes[:3]}
