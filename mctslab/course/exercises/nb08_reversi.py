"""Notebook 08, Reversi: the Roxanne policy, and two counts on bitboards."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab.course.checking.comparing import Shares, Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, case, mistakes_in
from mctslab.games.reversi import Reversi, after
from mctslab.games.state import State
from mctslab.search.knowledge.roxanne import NINE_CLASSES, roxanne

_SIZE: Final = 8
BOARD: Final = (1 << _SIZE * _SIZE) - 1
INNER_COLUMNS: Final = sum(0b01111110 << _SIZE * row for row in range(_SIZE))
"""All squares but those of the columns a and h."""


# roxanne_move

Classes: TypeAlias = Sequence[Sequence[int]]


def _classes() -> list[list[int]]:
    """The squares of each of the nine classes, best class first; the centre is in none."""
    ranks = roxanne().ranks
    centre = [27, 28, 35, 36]
    return [
        [square for square in range(64) if ranks[square] == rank and square not in centre]
        for rank in range(len(NINE_CLASSES))
    ]


def _roxanne_case(record: str, expected: object, use: Callable[..., object], shown: str) -> Case:
    def arguments() -> tuple[Reversi, Classes, np.random.Generator]:
        return after(record), _classes(), np.random.default_rng(1)

    return Case(arguments, expected, f"{shown}\n{after(record)}", use)


def _moves(
    function: Callable[..., Any], state: Reversi, classes: Classes, rng: np.random.Generator
) -> object:
    return tally(_named(function(state, classes, rng), state) for _ in range(600))


def _named(action: object, state: Reversi) -> object:
    """A legal action by its name; what is none, in words."""
    for legal in state.legal_actions():
        if action is not None and not isinstance(action, bool) and action == legal:
            return state.action_to_string(legal)
    return f"{action!r}, which is not a legal action"


def _same_again(
    function: Callable[..., Any], state: Reversi, classes: Classes, rng: np.random.Generator
) -> object:
    def moves() -> list[object]:
        same_rng = np.random.default_rng(7)
        return [_named(function(state, classes, same_rng), state) for _ in range(40)]

    return Words("the same moves" if moves() == moves() else "other moves")


def _roxanne_variation(rng: np.random.Generator) -> Case:
    """Where the best class has a single legal square, nothing is left to chance."""
    state, found = Reversi(), list[Reversi]()
    ranks = {square: rank for rank, squares in enumerate(_classes()) for square in squares}
    while not state.is_terminal:
        legal = [ranks.get(action, len(ranks)) for action in state.legal_actions()]
        if legal.count(min(legal)) == 1:
            found.append(state)
        state = state.child(int(rng.choice(state.legal_actions())))
    state = found[int(rng.integers(len(found)))]
    return Case(
        lambda: (state, _classes(), np.random.default_rng(1)),
        FROM_MODEL,
        f"in this position\n{state}",
    )


def _only(*moves: str) -> Shares:
    return Shares({move: 1 / len(moves) for move in moves})


def _roxanne_cases() -> list[Case]:
    often = "600 moves in this position"
    return [
        _roxanne_case(
            "c4c3d3e3c2b5b3a3a4a5f2d1a6a7b2", _only("a1"), _moves, f"{often}; there is a corner"
        ),
        _roxanne_case(
            "", _only("d3", "c4", "f5", "e6"), _moves, f"{often}; the four are of one class"
        ),
        _roxanne_case(
            "e6f4g3g4f3f2g5h4c3h6", _only("g2"), _moves, f"{often}; an X- and a C-square"
        ),
        _roxanne_case(
            "c4c3e6d6c6c5c2b2", _only("a1"), _moves, f"{often}; the corner ends the game"
        ),
        _roxanne_case("f5f6e6d6c3e3f4g3", _only("f3", "c6"), _moves, often),
        _roxanne_case("d3c5c6c3c4c7b5f3c2b4e3d2b3a6d1f2g1", _only("c1", "f1", "a3"), _moves, often),
        _roxanne_case(
            "f5d6c7f6f7d7c3f3d3f4f2d2e6",
            _only("b3", "g3", "g6"),
            _moves,
            f"{often}; many legal squares are of a bad class",
        ),
        _roxanne_case(
            "d3c3e6d2d1e1b2c1", _only("pass"), _moves, f"{often}; Black cannot turn anything"
        ),
        _roxanne_case(
            "d3c5b6b5b4f3d6c6f5a4a5c4d7g5f6e7g6f4g4b7c7h5f7g7b3a6d8e2a8c2h4e8f8c8h7h8a2e6f1d2d1g8a7b8"
            "g2f2e3b2c1h3c3h1e1h6g3",
            _only("b1", "g1", "h2"),
            _moves,
            f"{often}; all three are C-squares",
        ),
        _roxanne_case(
            "",
            Words("the same moves"),
            _same_again,
            "40 moves in this position, and 40 again with the same seed",
        ),
    ]


@exercise(
    title="The Roxanne policy",
    cases=_roxanne_cases,
    variation=_roxanne_variation,
    hints=(
        "Go through the classes in their order, and stop at the first one that has a legal square.",
        "For one class: `candidates = [action for action in state.legal_actions() if action in "
        "squares]`. If there are any, choose one of them with `rng`, and return it.",
        "If the loop ends without a move, only a pass is left: `return state.legal_actions()[0]`.",
    ),
    when_right="The package's `search.roxanne()` does the same. It is level two in the panel.",
    mistakes=mistakes_in("""
        any legal move, whatever its class
            That is the random player. Go through the classes, best first, until one has a legal
            square.
            - ...
            + actions = state.legal_actions()
            + return actions[int(rng.random() * len(actions))]
        the first square of the class, not a random one
            Choose one of the squares of the class at random. Otherwise all games between two such
            players are the same, and so are all rollouts.
            candidates[int(rng.random() * len(candidates))] => candidates[0]
        the worst class instead of the best
            The loop must end at the first class that has a legal square. If it goes on, the last
            such class remains.
            in classes: => in reversed(classes):
        the pass forgotten
            A pass is not a square, so no class contains it. When it is the only legal action, you
            must return it.
            return state.legal_actions()[0] => return None
        a square of the class, legal or not
            When one square of a class is legal, the others can still be illegal. Choose only among
            the legal ones.
            - candidates[int(rng.random() * len(candidates))]
            + squares[int(rng.random() * len(squares))]
        a random choice among the classes
            Choose at random inside the best class only. A worse class does not matter as long as a
            better one has a legal square.
            - ...
            + legal = state.legal_actions()
            + by_class = [[a for a in legal if a in squares] for squares in classes]
            + groups = [group for group in by_class if group] or [legal]
            + group = groups[int(rng.random() * len(groups))]
            + return group[int(rng.random() * len(group))]
        corners, and otherwise anything
            Corners are only the first of nine classes. If it has no legal square, go on with the
            second, and so on.
            in classes: => in (classes[0], state.legal_actions()):
        the number within the list instead of the action
            `int(rng.random() * len(candidates))` is the place in the list. The action is the entry
            at that place: `candidates[...]`.
            candidates[int(rng.random() * len(candidates))] => int(rng.random() * len(candidates))
        the square that flips most, instead of a random one
            The Roxanne policy never counts discs. It chooses one of the squares of the class at
            random.
            - candidates[int(rng.random() * len(candidates))]
            + max(candidates, key=lambda a: state.child(a).disc_counts()[state.current_player])
        a random generator of its own
            Use the `rng` that is given. With a generator of its own, the player can never repeat a
            game, or always repeats the same one.
            rng.random() => np.random.default_rng().random()
        the class with the most legal squares
            The best class comes first. Take the first class with a legal square, even if it has
            only one.
            - for squares in classes:
            + legal = set(state.legal_actions())
            + for squares in sorted(classes, key=lambda each: -len(legal.intersection(each))):
        one square drawn from each class
            If the square that was drawn is not legal, another one of its class may be. Draw from
            the legal squares of the class.
            - candidates = [action for action in state.legal_actions() if action in squares]
            - if candidates:
            -     return candidates[int(rng.random() * len(candidates))]
            + action = int(rng.choice(squares))
            + if action in state.legal_actions():
            +     return action
    """),
)
def roxanne_move(state: Reversi, classes: Sequence[Sequence[int]], rng: np.random.Generator) -> int:
    """A random one of the legal squares of the best class that has one; a forced pass is played.

    `classes` holds the squares of each class as actions, the best class first.
    """
    for squares in classes:
        candidates = [action for action in state.legal_actions() if action in squares]
        if candidates:
            return candidates[int(rng.random() * len(candidates))]
    return state.legal_actions()[0]


# Bitboards


def _bitboards_case(record: str, expected: int, why: str = "") -> Case:
    state = after(record)
    mover = state.current_player
    own, opponent = state.stones_of(mover), state.stones_of(1 - mover)
    who = f"own = {state.player_names[mover]}'s discs, opponent = the others{why}"
    return Case(lambda: (own, opponent), expected, f"{who}\n{state}")


# mobility


def _mobility_cases() -> list[Case]:
    return [
        _bitboards_case("", 4),
        _bitboards_case("d3c3e6d2d1e1b2c1", 0, "; nothing can be turned"),
        _bitboards_case("d3c3c4", 2),
        _bitboards_case("c4e3f4g5g4g3f5f6h4h3g6b4", 14, "; a line of six"),
        _bitboards_case("c4c3d3e3c2b5b3a3a4a5f2d1a6a7b2a1a2e2", 9, "; a line along the edge"),
        _bitboards_case("f5d6c3f3c5d3c7b5d2c6a5e6f4c4d7a6f2c8b8a8b3e7e8", 12),
        _bitboards_case("d3c5b6b5b4c3c6e3f5e6f7a3c2c1b3d6e2c4d1f6d7f3g7f4g3", 22),
        _bitboards_case("c4e3f4g5g4g3f5f6h4h3g6b4h2c6f7g7h5", 7),
    ]


def _bitboards_variation(rng: np.random.Generator) -> Case:
    state: State = Reversi()
    record = ""
    for _ in range(rng.integers(1, 60)):
        if not state.is_terminal:
            action = int(rng.choice(state.legal_actions()))
            record += state.action_to_string(action).replace("pass", "")
            state = state.child(action)
    return replace(_bitboards_case(record, 0), expected=FROM_MODEL)


@exercise(
    title="How many legal moves",
    cases=_mobility_cases,
    variation=_bitboards_variation,
    hints=(
        "You have seen one direction: shift, mask, flood, and one last shift. There are eight "
        "directions, two on each of the axes with steps 1, 7, 8 and 9.",
        "The mask is the whole board on the axis with step 8, and INNER_COLUMNS on the others. On "
        "each axis, shift by `<<` in one direction and by `>>` in the other.",
        "Collect the far ends of all lines with `|=`. Finally, return `(ends & BOARD & ~(own | "
        "opponent)).bit_count()`.",
    ),
    when_right="The package's `legal_moves` does the same in fewer steps, two discs at a time.",
    mistakes=mistakes_in("""
        no mask at the edge
            A shift by 1, 7 or 9 carries bits from column h to column a of another row, and back.
            The discs that turn must not lie in these columns: `opponent & mask`.
            opponent & mask => opponent
        the mask on all axes
            Up and down nothing goes round the edge. With the mask on this axis, the lines along the
            columns a and h are lost.
            (8, BOARD) => (8, INNER_COLUMNS)
        lines of one disc only
            Several discs of a line can turn at once. Repeat the step over the opponent's discs
            until no longer line fits on the board.
            range(6) => range(1)
        a flood that ends too early
            Between two of your discs, up to six of the opponent's fit into a row of eight. So the
            first step needs five more.
            range(6) => range(5)
        four of the eight directions
            Each axis has two directions, so shift by `<<` and by `>>`.
             | (down & through) >> step =>
        no diagonals
            Discs turn along rows, columns and both diagonals, with steps of 1, 8, 7 and 9.
            - (1, INNER_COLUMNS), (7, INNER_COLUMNS), (8, BOARD), (9, INNER_COLUMNS)
            + (1, INNER_COLUMNS), (8, BOARD)
        squares counted where a disc lies
            The far end of a line can be a disc, but only empty squares are moves:
            `& ~(own | opponent)`.
             & ~(own | opponent) =>
        a move counted once for each direction in which it turns discs
            Combine the squares of all directions with `|`, and count at the end.
            - ends |= (up & through) << step | (down & through) >> step
            + for end in ((up & through) << step, (down & through) >> step):
            +     ends += (end & BOARD & ~(own | opponent)).bit_count()
            return (ends & BOARD & ~(own | opponent)).bit_count() => return ends
        every empty square beside a disc of the opponent
            A move must turn something, so the line has to start at one of your own discs.
            (up & through) << step | (down & through) >> step => through << step | through >> step
        the opponent's moves
            Lines start at the discs `own` and run over those of `opponent`.
            opponent & mask => own & mask
            own, own => opponent, opponent
        lines that run over empty squares
            Go over the opponent's discs only: `through = opponent & mask`. An empty square ends a
            line.
            opponent & mask => ~own & mask
    """),
)
def mobility(own: int, opponent: int) -> int:
    """How many legal moves the player with the discs `own` has; a pass is none."""
    ends = 0
    for step, mask in ((1, INNER_COLUMNS), (7, INNER_COLUMNS), (8, BOARD), (9, INNER_COLUMNS)):
        through = opponent & mask
        up, down = own, own
        for _ in range(6):
            up |= through & up << step
            down |= through & down >> step
        ends |= (up & through) << step | (down & through) >> step
    return (ends & BOARD & ~(own | opponent)).bit_count()


# frontier


def _one_gap(empty: str, own: str) -> Case:
    """All squares but one are taken, and of these only one, a neighbour, is ours."""
    empty_bit, own_bit = (1 << Reversi().string_to_action(square) for square in (empty, own))
    shown = f"own = one disc, on {own}; opponent = all other squares but {empty}, which is empty"
    return case(own_bit, BOARD & ~(own_bit | empty_bit), expected=1, shown=shown)


def _frontier_cases() -> list[Case]:
    return [
        _bitboards_case("", 2),
        _bitboards_case("d3c3e6d2d1e1b2c1", 8),
        _bitboards_case("f5d6c3f3c5d3c7b5d2c6a5e6f4c4d7a6f2c8b8a8b3e7e8", 7),
        _bitboards_case("d3c5b6b5b4c3c6e3f5e6f7a3c2c1b3d6e2c4d1f6d7f3g7f4g3", 2),
        _bitboards_case("c4c3d3e3c2b5b3a3a4a5f2d1a6a7b2a1a2e2", 6),
        _bitboards_case("f5f6d3g5g7e7g6h8g4g3h5f4g8h7g2c5b5h4h3d6d7a5f7c4a6d8c7d2b4h6c2h2a4", 6),
        _bitboards_case(
            "e6f6g6f4e3d6c3f7e8d2g3b4c4e7c2c5c7c6d8g5g4c8b6d7c1f8a3b8b7h4g7a8h6g8f5h3a7", 5
        ),
        *(_one_gap("d4", own) for own in ("d3", "d5")),
        *(_one_gap("a4", own) for own in ("b3", "b4", "b5")),
        *(_one_gap("h4", own) for own in ("g3", "g4", "g5")),
        *(_one_gap("b4", own) for own in ("a3", "a4", "a5")),
        *(_one_gap("g4", own) for own in ("h3", "h4", "h5")),
    ]


@exercise(
    title="How many frontier discs",
    cases=_frontier_cases,
    variation=_bitboards_variation,
    hints=(
        "Which squares are empty? Which squares lie beside an empty one? How many of those hold "
        "one of your discs?",
        "`beside`, which the notebook defines above, finds all neighbours of a set of squares at "
        "once.",
        "First `empty = BOARD & ~(own | opponent)`, and then count the bits of `own & "
        "beside(empty)`.",
    ),
    when_right="With a minus sign it is a term of the evaluation in notebook 10.",
    mistakes=mistakes_in("""
        neighbours round the edge
            A shift by 1, 7 or 9 makes h3 a neighbour of a4. Remove the columns a and h where a bit
            would go round the edge.
            - (empty << step | empty >> step) & INNER_COLUMNS | inner << step | inner >> step
            + empty << step | empty >> step
        an edge that counts as empty
            `~(own | opponent)` also has a 1 on every bit beyond the board, and a shift brings these
            bits back into the last row. Cut them off: `BOARD & ~(own | opponent)`.
            BOARD & ~(own | opponent) => ~(own | opponent)
        the diagonals forgotten
            A square has eight neighbours, and four of them are diagonal, with steps of 7 and 9.
            (1, 7, 9) => (1,)
        one direction of each axis
            An empty square can lie on either side of the disc, so shift by `<<` and by `>>`.
            empty << 8 | empty >> 8 => empty << 8
            - (empty << step | empty >> step) & INNER_COLUMNS | inner << step | inner >> step
            + empty << step & INNER_COLUMNS | inner << step
        the empty squares beside a disc
            The frontier consists of discs. Start from the empty squares, find your discs beside
            them, and count these discs.
            - near = empty << 8
            + own, empty = empty, own
            + near = empty << 8
        the opponent's frontier
            Count those of the discs `own` that lie beside an empty square.
            own & near => opponent & near
        discs beside the opponent's discs
            Only empty squares beside a disc count, and not the opponent's discs beside it.
            BOARD & ~(own | opponent) => opponent
        the frontier of both players
            Count only your discs, `own`.
            own & near => (own | opponent) & near
        a disc counted once for each empty square beside it
            A disc is a frontier disc or it is not. Combine the directions with `|`, and count at
            the end.
            - near = empty << 8 | empty >> 8
            - ...
            + near = [empty << 8, empty >> 8]
            + for step in (1, 7, 9):
            +     inner = empty & INNER_COLUMNS
            +     near.append(empty << step & INNER_COLUMNS | inner << step)
            +     near.append(empty >> step & INNER_COLUMNS | inner >> step)
            + return sum((own & squares).bit_count() for squares in near)
        the internal discs
            These are the discs that do not belong to the frontier.
            own & near => own & ~near
    """),
)
def frontier(own: int, opponent: int) -> int:
    """How many of the discs `own` lie beside an empty square."""
    empty = BOARD & ~(own | opponent)
    near = empty << 8 | empty >> 8
    for step in (1, 7, 9):
        inner = empty & INNER_COLUMNS
        near |= (empty << step | empty >> step) & INNER_COLUMNS | inner << step | inner >> step
    return (own & near).bit_count()
