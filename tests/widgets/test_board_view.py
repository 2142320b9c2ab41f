"""What the page gets of a board."""

from itertools import combinations, pairwise
from math import dist

import numpy as np
import pytest

from mctslab import games
from mctslab.boards.geometry import Grid
from mctslab.boards.svg import board_svg
from mctslab.games import Reversi
from mctslab.search import Trace, mcts
from mctslab.widgets.board_view import board_look, position_of
from mctslab.widgets.trace_document import trace_document
from tests.notebooks.reading import hex_file
from tests.search.toys import play


@pytest.fixture(scope="module")
def hexagons(tmp_path_factory):
    """The Hex of notebook 15: on hexagons a game need not say which squares won."""
    file = tmp_path_factory.mktemp("games") / "hexagons.py"
    file.write_text(hex_file(), "utf-8")
    return games.make(f"{file}:Hex", size=4)


@pytest.mark.parametrize("moves", [(1, 2, 5, 3, 9), (0, 4, 1, 5, 2, 6, 15)])
def test_a_chain_that_wins_on_hexagons_is_drawn_on_a_live_board_and_in_a_film(moves, hexagons):
    """It joins the winner's sides, and none of its cells is as near as that to a later one."""
    trace, rng = Trace(), np.random.default_rng(1)
    mcts(play(hexagons, moves), num_simulations=40, rng=rng, trace=trace)
    told = trace_document(trace)["nodes"]["winning_squares"]
    assert any(told)
    for node, chain in zip(trace.nodes, told, strict=True):
        state, board = node.state, node.state.board()
        shown = position_of(board)
        assert (bool(chain), chain) == (state.is_terminal, shown["winning"])
        if chain:
            [chain] = chain
            winner = int(state.returns()[1] > 0)
            assert [divmod(chain[end], board.cols)[winner] for end in (0, -1)] == [0, 3]
            cells = enumerate(map(Grid.of(board, band=10).center, chain))
            near = [(i, j) for (i, one), (j, two) in combinations(cells, 2) if dist(one, two) < 41]
            assert near == [*pairwise(range(len(chain)))]


def test_the_numbers_of_a_search_are_as_large_as_on_a_picture():
    size = board_look(Reversi().board(), ("Black", "White"))["heat"]["font"]["font-size"]
    assert f'font-size="{size}"' in board_svg(Reversi().board(), heat={0: 0.25}, coordinates=False)
