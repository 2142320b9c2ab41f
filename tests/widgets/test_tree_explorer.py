"""The tree explorer without a browser: what is on show, what is said of it, what a click does."""

from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games, search
from mctslab.draw.pruning import MAX_DRAWN
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.widgets import TreeExplorer
from mctslab.widgets.unfolding import Path, Unfolding
from tests.widgets.browser_messages import send

FOUR_GAMES = [games.TicTacToe(), games.ConnectFour(), games.Reversi(), games.Gomoku()]


def grow(state: State, num_simulations: int = 300) -> search.SearchResult:
    return search.mcts(state, num_simulations=num_simulations, rng=np.random.default_rng(1))


def explorer(num_simulations: int = 300, **options: Any) -> TreeExplorer:
    return TreeExplorer(grow(games.TicTacToe(), num_simulations), **options)


def paths(widget: TreeExplorer) -> list[Path]:
    return [tuple(node["path"]) for node in widget.nodes]


def drawn_classes(widget: TreeExplorer) -> list[str]:
    picture = ElementTree.fromstring(widget.picture)
    classes = [element.get("class", "") for element in picture.iter() if "g" in element.tag]
    return [name.removeprefix("node ") for name in classes if name.startswith("node ")]


# What is on show


@pytest.mark.parametrize("state", FOUR_GAMES)
def test_at_first_the_root_shows_its_most_visited_children(state: State) -> None:
    result = grow(state)
    widget = TreeExplorer(result, top=3)
    best = sorted(result.children, key=lambda child: -child.visit_count)
    assert paths(widget)[0] == ()
    shown = [node["facts"][0] for node in widget.nodes[1:]]
    assert shown == [f"N {child.visit_count:,}" for child in best[:3]]
    assert widget.nodes[0]["num_hidden"] == len(best) - 3
    assert sorted(drawn_classes(widget)) == ["more0", "n0", "n1", "n2", "n3"]
    assert widget.caption == f"4 of the tree's {result.root.visit_count + 1:,} nodes"


def test_a_click_unfolds_and_a_second_one_folds_with_all_below() -> None:
    widget = explorer()
    first = paths(widget)
    child = widget.nodes[1]["path"]
    send(widget, {"toggle": child})
    assert widget.nodes[1]["is_unfolded"]
    below = next(path for path in paths(widget) if path[: len(child)] == tuple(child) != path)
    send(widget, {"toggle": list(below)})
    assert len(paths(widget)) > len(first) + 5
    send(widget, {"toggle": child})
    assert paths(widget) == first
    send(widget, {"toggle": child})
    assert not any(node["is_unfolded"] for node in widget.nodes[2:])


def test_more_children_are_shown_some_at_a_time() -> None:
    widget = explorer(top=4)
    for shown in (4, 8, 9, 9):
        assert len(widget.nodes) == 1 + shown
        assert widget.nodes[0]["num_hidden"] == 9 - shown
        assert ("more0" in drawn_classes(widget)) == (shown < 9)
        send(widget, {"more": []})


def test_the_principal_variation_is_unfolded_to_its_end() -> None:
    result = grow(games.Reversi(), 400)
    widget = TreeExplorer(result)
    send(widget, {"follow": "principal variation"})
    line = result.principal_variation
    assert len(line) > 2
    assert set(paths(widget)) >= {line[:length] for length in range(len(line) + 1)}
    send(widget, {"fold": "all"})
    assert len(paths(widget)) == 5


def test_nodes_with_few_visits_are_left_out() -> None:
    widget = explorer(1000, top=9)
    assert widget.filters == [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    send(widget, {"toggle": widget.nodes[1]["path"]})
    everything = len(widget.nodes)
    send(widget, {"min_visits": 20})
    assert 1 < len(widget.nodes) < everything
    assert all(int(node["facts"][0][2:].replace(",", "")) >= 20 for node in widget.nodes)
    assert widget.min_visits == 20
    assert "fewer than 20 visits left out" in widget.caption
    send(widget, {"min_visits": 1})
    assert len(widget.nodes) == everything


def test_colours_show_values_or_visits() -> None:
    widget = explorer()
    by_value = widget.source
    assert widget.legend["low"] == "−1"
    send(widget, {"color_by": "visits"})
    assert widget.color_by == "visits"
    assert widget.legend["meaning"] == "share of the root's visits"
    assert by_value != widget.source == widget.tree.source
    send(widget, {"color_by": "value"})
    assert widget.source == by_value


@pytest.mark.parametrize("state", FOUR_GAMES)
def test_every_node_says_what_there_is_to_say(state: State) -> None:
    result = grow(state, 60)
    widget = TreeExplorer(result, top=2)
    root, child, *_ = widget.nodes
    (action, *_) = result.principal_variation
    best = next(node for node in result.root.children if node.action == action)
    assert root["title"] == "The root"
    assert child["title"] == state.action_to_string(action)
    name = state.player_names[best.mover]
    assert f"win rate {(1 + best.mean_value) / 2:.1%}" in child["facts"]
    assert any(fact.endswith(f"for {name}") for fact in child["facts"])
    assert not any(fact.startswith("prior") for fact in child["facts"]), "all have the same"
    board = best.state.board()
    assert child["stones"] == "".join(".01"[stone + 1] for stone in board.stones)
    assert child["last_square"] == board.last_square


def test_a_prior_is_told_where_the_moves_have_different_ones() -> None:
    result = grow(games.TicTacToe(), 60)
    best = max(result.root.children, key=lambda child: child.visit_count)
    best.prior = 0.4
    _, child, *_ = TreeExplorer(result).nodes
    assert "prior 0.400" in child["facts"]


def test_of_one_untried_move_nobody_says_moves() -> None:
    state = after(0, 1, 2, 3, 4, 5)  # three squares are free
    root, *_ = TreeExplorer(grow(state, 2)).nodes
    assert "1 move not tried yet" in root["facts"]


def after(*actions: int) -> State:
    """A position of Tic-Tac-Toe."""
    state: State = games.TicTacToe()
    for action in actions:
        state = state.child(action)
    return state


def test_the_end_of_a_game_says_who_has_won() -> None:
    widget = TreeExplorer(grow(after(0, 3, 1, 4), 60))
    winning = next(node for node in widget.nodes if node["path"] == [2])
    assert "X wins" in winning["facts"]
    assert winning["winning_squares"] == [0, 1, 2]
    assert "0,1,2" in widget.winning_lines
    assert winning["num_children"] == 0


def test_it_says_what_is_proven() -> None:
    state = after(4, 1)  # X is winning, with a1 (0), say
    rng = np.random.default_rng(1)
    widget = TreeExplorer(search.mcts(state, num_simulations=10**6, solver=True, rng=rng), top=9)
    said = [[fact for fact in node["facts"] if "proven" in fact] for node in widget.nodes]
    assert said[0] == ["proven win for X"]
    assert ["proven win for X"] in said[1:]
    assert [] in said


def test_it_shows_the_move_that_was_proven_to_win_without_a_visit() -> None:
    state = after(0, 1, 4, 2)  # X a1 b2, O b1 c1; X wins with c3 (8)
    options = {"evaluator": search.uniform_evaluator(), "rng": np.random.default_rng(1)}
    widget = TreeExplorer(search.puct_search(state, num_simulations=9, solver=True, **options))
    for _ in range(2):
        assert [node["path"] for node in widget.nodes] == [[], [8]]
        assert "proven win for X" in widget.nodes[0]["facts"]
        assert {"N 0", "X wins"} <= set(widget.nodes[1]["facts"])
        send(widget, {"follow": "principal variation"})


def test_what_goes_wrong_is_shown_until_something_works(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = explorer()
    caption = widget.caption

    def fail(_actions: Path) -> None:
        raise RuntimeError("no room")

    with monkeypatch.context() as broken:
        broken.setattr(widget._unfolding, "toggle", fail)
        send(widget, {"toggle": widget.nodes[1]["path"]})
    assert widget.caption == "RuntimeError: no room"
    send(widget, {"color_by": "visits"})
    assert widget.caption == caption


def test_messages_that_make_no_sense_change_nothing() -> None:
    widget = explorer()
    before = paths(widget)
    for content in (
        {"toggle": [99]}, {"toggle": [0, 0, 0]}, {"toggle": "abc"}, {"more": [1, 2, 3]}, {}, [],
        {"color_by": "red"}, {"min_visits": "many"}, {"fold": "some"}, None, "toggle",
    ):  # fmt: skip
        send(widget, content)
    assert paths(widget) == before


def test_bad_options_are_named() -> None:
    with pytest.raises(ValueError, match="top=0"):
        explorer(top=0)
    with pytest.raises(ValueError, match="color_by='prior'"):
        explorer(color_by="prior")


def test_it_begins_at_a_node_just_as_well() -> None:
    result = grow(games.TicTacToe())
    assert TreeExplorer(result.root).nodes == TreeExplorer(result).nodes
    assert len(TreeExplorer(search.Node(games.TicTacToe())).nodes) == 1


def test_the_tree_of_a_trace_is_explored_without_the_game() -> None:
    trace = search.Trace()
    rng = np.random.default_rng(1)
    result = search.mcts(games.Reversi(), num_simulations=100, rng=rng, trace=trace)
    assert TreeExplorer(trace.result()).nodes == TreeExplorer(result).nodes


@dataclass
class View:
    """A node as a compiled search hands it out: the names of `Node`, and nothing more of it."""

    state: State
    action: int | None = None
    parent: "View | None" = None
    visit_count: int = 0
    total_value: float = 0.0
    prior: float = 1.0
    children: "tuple[View, ...]" = ()
    untried_actions: tuple[int, ...] = field(default=())

    @property
    def mover(self) -> int:
        return (self if self.parent is None else self.parent).state.current_player

    @property
    def mean_value(self) -> float:
        return self.total_value / self.visit_count if self.visit_count else 0.0


def view_of(node: Node, parent: View | None = None) -> View:
    view = View(node.state, node.action, parent, node.visit_count, node.total_value, node.prior)
    view.untried_actions = tuple(node.untried_actions)
    view.children = tuple(view_of(child, view) for child in node.children)
    return view


def test_any_search_with_the_same_names_is_explored() -> None:
    result = grow(games.ConnectFour(), 150)
    view: Any = view_of(result.root)
    same = TreeExplorer(search.SearchResult(view, num_simulations=150, seconds=0.0))
    own = TreeExplorer(result)
    for widget in (same, own):
        send(widget, {"follow": "principal variation"})
    assert same.nodes == own.nodes
    assert same.source == own.source


# Large trees


class Watched(Node):
    """A node that counts how often somebody looks at its children."""

    __slots__ = ("own_children",)
    looks = 0

    @property
    def children(self) -> list[Node]:  # type: ignore[override]
        Watched.looks += 1
        return self.own_children

    @children.setter
    def children(self, children: list[Node]) -> None:
        self.own_children = children


def large_tree(num_nodes: int) -> Watched:
    root = Watched(games.Gomoku())
    nodes: list[Watched] = [root]
    for node in nodes:
        for action in node.state.legal_actions()[:150]:
            child = Watched(parent=node, action=action)
            child.visit_count = 1
            node.own_children.append(child)
            nodes.append(child)
            if len(nodes) == num_nodes:
                return root
    return root


def test_of_a_hundred_thousand_nodes_only_the_unfolded_are_looked_at() -> None:
    widget = TreeExplorer(large_tree(100_000))
    assert "100,000 nodes" in widget.caption
    Watched.looks = 0
    send(widget, {"toggle": widget.nodes[1]["path"]})
    send(widget, {"more": []})
    assert len(widget.nodes) == 16
    assert Watched.looks < 200
    assert len(widget.picture) < 100_000


def test_no_drawing_has_more_nodes_than_can_be_told_apart() -> None:
    widget = TreeExplorer(large_tree(2_000), top=149)
    for place in (1, 2):
        send(widget, {"toggle": widget.nodes[place]["path"]})
    assert len(drawn_classes(widget)) <= MAX_DRAWN
    assert f"no drawing has more than {MAX_DRAWN}" in widget.caption
    send(widget, {"fold": "all"})
    assert "no drawing" not in widget.caption


# Unfolding, whatever is clicked in whatever order

TREE = grow(games.TicTacToe(), 200)


@given(st.lists(st.tuples(st.sampled_from(["toggle", "more", "filter"]), st.integers(0, 30))))
def test_what_is_on_show_is_always_a_tree(clicks: list[tuple[str, int]]) -> None:
    unfolding = Unfolding(TREE.root, top=3)
    for what, number in clicks:
        path = unfolding.paths[number % len(unfolding.paths)]
        if what == "toggle":
            was_unfolded = path in unfolding._num_shown
            unfolding.toggle(path)
            assert (path in unfolding._num_shown) != was_unfolded
        elif what == "more":
            unfolding.show_more(path)
        else:
            unfolding.leave_out_below(number)
    assert len(set(unfolding.paths)) == len(unfolding.paths) == len(unfolding.kept)
    for place, (here, path) in enumerate(zip(unfolding.kept, unfolding.paths, strict=True)):
        assert len(path) == here.depth
        if place:
            assert here.parent is not None
            assert here.parent < place
            assert unfolding.paths[here.parent] == path[:-1]
            assert here.node.visit_count >= unfolding.min_visits
        drawn = [below for below in unfolding.kept if below.parent == place]
        assert [below.node for below in drawn] == list(here.children[: here.num_drawn])
        counts = [below.node.visit_count for below in drawn]
        assert counts == sorted(counts, reverse=True)
