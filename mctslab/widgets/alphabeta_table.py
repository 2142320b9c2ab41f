"""What an alpha-beta search found out, as the table and the sentence that the panel shows."""

from typing import Final

from mctslab.fast import AlphaBetaResult
from mctslab.search.alphabeta import WIN

_LONGEST_LINE: Final = 12
"""So many moves of the expected line are told."""


def alphabeta_table(result: AlphaBetaResult, *, is_hint: bool) -> dict[str, object]:
    """A row for each iteration, the deepest first, and what came of it: caption, head and rows."""
    name = result.state.player_names[result.state.current_player]
    worth = value_in_words(result.value, is_exact=result.is_exact)
    who = f"Hint for {name}" if is_hint else name
    return {
        "caption": f"{who}: {_found(result)}.{_line(result)} Value for {name}: {worth}.",
        "head": ["Depth", "Nodes", "Seconds", "Best move", f"Value for {name}"],
        "rows": [
            [
                str(iteration.depth),
                f"{iteration.num_nodes:,}",
                f"{iteration.seconds:.2f}",
                result.state.action_to_string(iteration.best_action),
                value_in_words(iteration.value),
            ]
            for iteration in reversed(result.iterations)
        ],
    }


def value_in_words(value: float, *, is_exact: bool = False) -> str:
    """What a position is worth to a player: points of the evaluation, or how the game ends.

    >>> value_in_words(-3.5), value_in_words(WIN + 8), value_in_words(-WIN - 1)
    ('-3.5 points', 'won by 8 discs', 'lost by 1 disc')
    >>> value_in_words(0.0), value_in_words(0.0, is_exact=True), value_in_words(WIN)
    ('0 points', 'drawn', 'won')
    """
    if abs(value) < WIN / 2:
        points = "0" if value == 0 else f"{value:+g}"
        return "drawn" if is_exact else f"{points} points"
    discs = abs(value) - WIN
    margin = f" by {discs:g} disc{'s' if discs != 1 else ''}" if discs else ""
    return f"{'won' if value > 0 else 'lost'}{margin}"


def _found(result: AlphaBetaResult) -> str:
    """The move, how far the search came, and at what cost."""
    move = result.state.action_to_string(result.best_action)
    plies = f"{result.depth} {'ply' if result.depth == 1 else 'plies'} ahead"
    reach = "to the end of the game" if result.is_exact else plies
    return f"{move}, after a search {reach}, {result.num_nodes:,} nodes in {result.seconds:.1f} s"


def _line(result: AlphaBetaResult) -> str:
    """The play that the search expects; empty where it knows of one move only."""
    expected = result.principal_variation
    if len(expected) < 2:
        return ""
    moves, state = [], result.state
    for action in expected[:_LONGEST_LINE]:
        moves.append(state.action_to_string(action))
        state = state.child(action)
    return f" Expected: {' '.join(moves)}{' …' if len(expected) > _LONGEST_LINE else ''}."
