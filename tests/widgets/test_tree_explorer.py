"""The tree explorer without a browser: what is on show, what is said of it, what a click does."""

import re
import time
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import fast, games, search
from mctslab.draw.pruning import MAX_DRAWN
from mctslab.games.state import State
from mctslab.widgets import TreeExplorer, tree_explorer
from mctslab.widgets.unfolding import Path, Unfolding
from tests.widgets.browser_messages import event, see, send

FOUR_GAMES = [games.TicTacToe(), games.ConnectFour(), games.Reversi(), games.Gomoku()]


def grow(state: State, num_simulations: int = 300) -> search.SearchResult:
    return search.mcts(state, num_simulations=num_simulations, rng=np.random.default_rng(1))


def after(*actions: int) -> State:
    """A position of Tic-Tac-Toe."""
    state: State = games.TicTacToe()
    for action in actions:
        state = state.child(action)
    return state


def explorer(num_simulations: int = 300, **options: Any) -> TreeExplorer:
    return TreeExplorer(grow(games.TicTacToe(), num_simulations), **options)


def paths(widget: TreeExplorer) -> list[Path]:
    return [tuple(node["path"]) for node in widget.nodes]


def drawn_classes(widget: TreeExplorer) -> list[str]:
    return re.findall('class="node ([^"]+)"', widget.picture)


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
    assert widget.still_note() == f"{widget.title}. Run this cell again to browse it."


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
    assert "fewer than 20 visits left out" in widget.caption
    send(widget, {"min_visits": 1})
    assert (len(widget.nodes), widget.min_visits) == (everything, 1)


def test_colours_show_values_or_visits() -> None:
    widget = explorer()
    by_value = widget.source
    assert widget.legend["low"] == "−1"
    send(widget, {"color_by": "visits"})
    assert widget.color_by == "visits"
    assert widget.legend["meaning"] == "share of the root's visits"
    assert by_value != widget.source == widget.tree.source
    for options, words in (({"top": 0}, "top=0"), ({"color_by": "prior"}, "color_by='prior'")):
        with pytest.raises(ValueError, match=words):
            explorer(**options)


@pytest.mark.parametrize("state", FOUR_GAMES)
def test_every_node_says_what_there_is_to_say(state: State) -> None:
    result = grow(state, 60)
    root, child, *_ = TreeExplorer(result, top=2).nodes
    (action, *_) = result.principal_variation
    best = next(node for node in result.root.children if node.action == action)
    assert (root["title"], child["title"]) == ("The root", state.action_to_string(action))
    name = state.player_names[best.mover]
    assert f"win rate {(1 + best.mean_value) / 2:.1%}" in child["facts"]
    assert any(fact.endswith(f"for {name}") for fact in child["facts"])
    assert not any(fact.startswith("prior") for fact in child["facts"]), "all have the same"
    board = best.state.board()
    assert child["stones"] == "".join(".01"[stone + 1] for stone in board.stones)
    assert child["last_square"] == board.last_square
    best.prior = 0.4
    assert "prior 0.400" in TreeExplorer(result).nodes[1]["facts"]


def test_the_end_of_a_game_says_who_has_won() -> None:
    widget = TreeExplorer(grow(after(0, 3, 1, 4), 60))
    winning = next(node for node in widget.nodes if node["path"] == [2])
    assert "X wins" in winning["facts"]
    assert winning["winning_squares"] == [0, 1, 2]
    assert "0,1,2" in widget.winning_lines
    assert winning["num_children"] == 0


def test_it_shows_the_move_that_was_proven_to_win_without_a_visit() -> None:
    state = after(0, 1, 4, 2)  # X a1 b2, O b1 c1; X wins with c3 (8)
    options = {"evaluator": search.uniform_evaluator(), "rng": np.random.default_rng(1)}
    widget = TreeExplorer(search.puct_search(state, num_simulations=9, solver=True, **options))
    assert [node["path"] for node in widget.nodes] == [[], [8]]
    assert "proven win for X" in widget.nodes[0]["facts"]
    assert {"N 0", "X wins"} <= set(widget.nodes[1]["facts"])


def test_the_tree_of_a_trace_is_explored_without_the_game() -> None:
    trace = search.Trace()
    rng = np.random.default_rng(1)
    result = search.mcts(games.Reversi(), num_simulations=100, rng=rng, trace=trace)
    nodes = TreeExplorer(result).nodes
    assert TreeExplorer(trace.result()).nodes == TreeExplorer(result.root).nodes == nodes
    root, *_ = TreeExplorer(grow(after(0, 1, 2, 3, 4, 5), 2)).nodes
    assert "1 move not tried yet" in root["facts"]


def test_no_drawing_has_more_nodes_than_can_be_told_apart() -> None:
    widget = TreeExplorer(grow(games.Gomoku(6, 4), 2_000), top=40)
    for child in paths(widget)[1:12]:
        send(widget, {"toggle": list(child)})
    assert len(drawn_classes(widget)) <= MAX_DRAWN
    assert f"no drawing has more than {MAX_DRAWN}" in widget.caption
    send(widget, {"fold": "all"})
    assert "no drawing" not in widget.caption


def held_tree(keep: bool) -> tuple[TreeExplorer, Any, Any]:
    """An explorer, its compiled tree by a weak reference, and its result if somebody keeps it."""
    rng = np.random.default_rng(1)
    result = fast.mcts(games.TicTacToe(), num_simulations=300, rng=rng)
    tree = weakref.ref(result.root.tree)
    return TreeExplorer(result), tree, result if keep else None


def test_a_tree_that_no_page_shows_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_explorer, "UNSEEN_SECONDS", 0.01)
    widget, tree, _ = held_tree(keep=False)
    see(widget)
    send(widget, {"toggle": widget.nodes[1]["path"]})
    source, shown = widget.source, widget.nodes
    event(widget, "view_closed")
    for _ in range(1_000):
        if tree() is None:
            break
        time.sleep(0.01)
    assert tree() is None
    assert widget.tree.source == source
    assert "<svg" in widget.still_svg()
    assert widget.without_python() is None
    event(widget, "view_opened")
    send(widget, {"toggle": shown[1]["path"]})
    assert widget.nodes == shown
    assert widget.caption == ("This tree is no longer in memory. Run the cell that made it again.")


def test_a_tree_that_is_kept_elsewhere_is_explored_again() -> None:
    widget, tree, result = held_tree(keep=True)
    see(widget)
    send(widget, {"toggle": widget.nodes[1]["path"]})
    unfolded = paths(widget)
    event(widget, "view_closed")
    widget._let_go()
    assert widget._result is None
    event(widget, "view_opened")
    send(widget, {"min_visits": 1})
    assert paths(widget) == unfolded
    assert tree() is result.root.tree


def test_the_tree_of_a_readable_node_is_explored_again() -> None:
    widget = TreeExplorer(grow(games.TicTacToe()).root)
    see(widget)
    event(widget, "view_closed")
    widget._let_go()
    send(widget, {"toggle": widget.nodes[1]["path"]})
    assert widget.nodes[1]["is_unfolded"]


def test_a_view_that_is_opened_again_soon_keeps_the_tree() -> None:
    widget, tree, _ = held_tree(keep=False)
    see(widget)
    event(widget, "view_closed")
    event(widget, "view_opened")
    widget._let_go()
    assert tree() is not None


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
        if here.parent is not None:
            assert here.parent < place
            assert unfolding.paths[here.parent] == path[:-1]
            assert here.node.visit_count >= unfolding.min_visits
        drawn = [below.node for below in unfolding.kept if below.parent == place]
        assert drawn == list(here.children[: here.num_drawn])
        assert drawn == sorted(drawn, key=lambda node: -node.visit_count)
