"""Make the pictures of README.md from real positions and real searches.

    python docs/make_pictures.py

writes them beside this file. The seeds are fixed: as long as the games, the search and the drawings
are the same, so are the pictures.
"""

import re
from pathlib import Path

import numpy as np

from mctslab import draw, games, players, search

FOLDER = Path(__file__).parent
GAP = 28
NUM_PLIES = 28
NUM_SIMULATIONS = 1_000


def main() -> None:
    """Write every picture and say so."""
    path = FOLDER / "board_and_tree.svg"
    path.write_text(board_and_tree(), encoding="utf-8")
    print(path)


def board_and_tree() -> str:
    """A Reversi position with the visits that a search gave its moves, and the tree beside it."""
    rng = np.random.default_rng(11)
    state: games.State = games.Reversi()
    player = players.make("roxanne", rng=rng)
    for _ in range(NUM_PLIES):
        state = state.child(player.choose(state))
    evaluator = search.rollout_evaluator(search.roxanne())
    result = search.mcts(state, num_simulations=NUM_SIMULATIONS, evaluator=evaluator, rng=rng)
    board = draw.board(state, heat=result, heat_title="Visits", square_size=36).svg
    tree = draw.tree(result, top=3, depth=3, max_nodes=15).svg
    return side_by_side(board, tree)


def side_by_side(*pictures: str) -> str:
    """SVG pictures in a row, each in the middle of the row's height."""
    sizes = [size_of(picture) for picture in pictures]
    height = max(high for _, high in sizes)
    parts, x = [], 0.0
    for picture, (wide, high) in zip(pictures, sizes, strict=True):
        parts.append(f'<g transform="translate({x:g} {(height - high) / 2:g})">{picture}</g>')
        x += wide + GAP
    width = x - GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}">{"".join(parts)}</svg>\n'
    )


def size_of(picture: str) -> tuple[float, float]:
    """Width and height that an SVG picture gives itself, in pixels."""
    width, height = (re.search(rf'{name}="([\d.]+)"', picture) for name in ("width", "height"))
    assert width is not None
    assert height is not None
    return float(width[1]), float(height[1])


if __name__ == "__main__":
    main()
