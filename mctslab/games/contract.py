"""Whether a game follows the protocol of `state.py`: one check for every game, including yours.

    from mctslab.games import contract

    contract.check(MyGame())

It plays random games and compares each position with the promises of the protocol. The first broken
promise is raised as a `ContractError`, which says what must hold, what the game did, and in which
position.
"""

import copy
import pickle
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab.boards.board import EMPTY, Board, BoardStyle, square_bits
from mctslab.games.rules import DRAWN, LOST, OPEN, PASS, WON
from mctslab.games.state import GameNotOverError, IllegalActionError, State
from mctslab.games.symmetry import Symmetry, identity

SAMPLE_SIZE: Final = 6
"""How many of a position's legal and illegal actions are tried, drawn at random."""

OUTCOMES: Final[Mapping[tuple[float, float], str]] = {
    (1, -1): "player 0 won",
    (-1, 1): "player 1 won",
    (0, 0): "drawn",
}


RESULTS: Final[Mapping[float, tuple[int, str]]] = {
    1: (WON, "WON"),
    0: (DRAWN, "DRAWN"),
    -1: (LOST, "LOST"),
}
"""The outcome, and its name, for a player's return."""


class ContractError(AssertionError):
    """A game has broken a promise of the protocol; the message says which one, and how.

    Attributes:
        state: the position where it happened.
        actions: the actions that lead there from the first position.
    """

    state: State | None = None
    actions: tuple[int, ...] = ()

    def __str__(self) -> str:
        where = "first_state" + "".join(f".child({action})" for action in self.actions)
        try:
            drawn = str(self.state)
        except Exception:  # str() may be what is broken
            drawn = ""
        return f"{type(self.state).__name__}: {super().__str__()}\nThis is {where}:\n{drawn}"


def check(
    first_state: State,
    *,
    num_games: int = 20,
    max_plies: int = 2_000,
    rng: np.random.Generator | None = None,
) -> str:
    """Play random games from `first_state` and test every promise of the protocol on the way.

    Args:
        first_state: the first position of the game, `MyGame()`.
        num_games: how many games to play.
        max_plies: a game that is longer counts as one that never ends.
        rng: draws the games; without it they are the same every time.

    Returns:
        four lines on the games that were played.

    Raises:
        ContractError: a promise was broken.
        TypeError: `first_state` is not a state.
        ValueError: `num_games` is below one.

    >>> from mctslab.games import TicTacToe
    >>> print(check(TicTacToe()))  # doctest: +ELLIPSIS
    Tic-Tac-Toe keeps to the protocol.
    Random games: 20, of 5 to 9 plies
    Results: drawn ...
    """
    if not isinstance(first_state, State):
        raise TypeError(f"check() takes a state such as MyGame(), got {first_state!r}.")
    if num_games < 1:
        raise ValueError(f"num_games={num_games!r}: at least one game is needed.")
    rng = rng or np.random.default_rng(0)
    first = _Position(first_state, ())
    memory = _Memory()
    memory.meet(first)
    with first.examined():
        _check_names(first_state)
        _check_first(first_state)
        _check_notation(first_state, range(first_state.num_actions))
        _check_symmetries(first_state)
    ends = [_check_game(first, memory, max_plies, rng) for _ in range(num_games)]
    counts = Counter(OUTCOMES[end.state.returns()] for end in ends)
    lengths = [len(end.actions) for end in ends]
    results = ", ".join(f"{name} {counts[name]}" for name in sorted(counts))
    return (
        f"{first_state.title} keeps to the protocol.\n"
        f"Random games: {num_games}, of {min(lengths)} to {max(lengths)} plies\n"
        f"Results: {results}\n"
        f"Different positions: {len(memory.by_look):,}"
    )


def _require(kept: bool, promise: str, *got: object) -> None:
    """Raise ContractError unless the promise was `kept`; `got` is the game's result.

    Its type is shown, too, so that 1 and np.int64(1), () and [] look different.
    """
    if not kept:
        shown = [f"{thing!r} ({type(thing).__name__})" for thing in got]
        raise ContractError("; got ".join([promise, *shown]) + ".")


def _require_error(expected: type[Exception], method: Callable[..., Any], *arguments: Any) -> None:
    try:
        got = method(*arguments)
    except Exception as error:
        got = error
    promise = f"{method.__name__}({', '.join(map(str, arguments))}) must raise {expected.__name__}"
    _require(isinstance(got, expected), promise, got)


class _Look(NamedTuple):
    """Everything that a state shows, except for the last move."""

    current_player: int
    is_terminal: bool
    legal_actions: tuple[int, ...]
    returns: tuple[float, float] | None
    stones: tuple[int, ...]

    def difference(self, other: "_Look") -> str:
        """Which parts are not the same."""
        parts = zip(self._fields, self, other, strict=True)
        return " and ".join(name for name, mine, theirs in parts if mine != theirs)

    def moved(self, symmetry: Symmetry) -> "_Look":
        """The view of the position if it were rotated or mirrored."""
        stones = [EMPTY] * len(self.stones)
        for square, stone in zip(symmetry.squares, self.stones, strict=True):
            stones[square] = stone
        legal = sorted(symmetry.actions[action] for action in self.legal_actions)
        return self._replace(stones=tuple(stones), legal_actions=tuple(legal))


class _Position(NamedTuple):
    """A state, and the actions that led to it from the first one."""

    state: State
    actions: tuple[int, ...]

    @contextmanager
    def examined(self) -> Iterator[None]:
        """Report a broken promise, or any error, that is raised inside as one of this position."""
        try:
            yield
        except ContractError as error:
            if error.state is None:
                error.state, error.actions = self
            raise
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            line = [frame.line for frame in frames if frame.filename == __file__][-1]
            broken = ContractError(f"`{line}` must not raise {type(error).__name__}: {error}.")
            broken.state, broken.actions = self
            raise broken from error

    def after(self, action: int) -> "_Position":
        """The position after `action`, which is legal."""
        with self.examined():
            child = self.state.child(action)
            _require(type(child) is type(self.state), "child() must return its own class", child)
        return _Position(child, (*self.actions, action))

    def look(self) -> _Look:
        """The view of a position, each part with the type that the protocol requires."""
        with self.examined():
            return _look(self.state)


def _look(state: State) -> _Look:
    player, terminal = state.current_player, state.is_terminal
    promise = "current_player must be the int 0 or 1, even at the end of a game"
    _require(type(player) is int and player in (0, 1), promise, player)
    _require(type(terminal) is bool, "is_terminal must be a bool, with @property", terminal)
    legal = state.legal_actions()
    promise = "legal_actions() must be a tuple of ints, not of NumPy's"
    _require(type(legal) is tuple and {type(action) for action in legal} <= {int}, promise, legal)
    promise = "legal_actions() must be in ascending order, each once"
    _require(legal == tuple(sorted(set(legal))), promise, legal)
    promise = "legal_actions() must be in range(num_actions)"
    _require(set(legal) <= set(range(state.num_actions)), promise, legal)
    promise = "legal_actions() must be empty exactly at terminal states (a pass is an action)"
    _require((not legal) == terminal, promise, legal)
    board = state.board()
    kept = isinstance(board, Board) and type(board.stones) is tuple
    _require(kept, "board() must be a Board, its stones a tuple", board)
    if not terminal:
        _require_error(GameNotOverError, state.returns)
        return _Look(player, terminal, legal, None, board.stones)
    returns = state.returns()
    promise = "returns() must be (1, -1) if player 0 has won, (-1, 1) if player 1 has, or (0, 0)"
    _require(type(returns) is tuple and returns in list(OUTCOMES), promise, returns)
    return _Look(player, terminal, legal, returns, board.stones)


class _Memory:
    """The positions seen so far: states must be equal exactly if they look the same."""

    def __init__(self) -> None:
        self.by_look: dict[_Look, _Position] = {}
        self.by_state: dict[State, tuple[_Position, _Look]] = {}

    def meet(self, position: _Position) -> _Look:
        """Compare `position` with all positions seen before, and remember it."""
        look, state = position.look(), position.state
        twin = self.by_look.setdefault(look, position)
        promise = (
            "States must be equal when they are the same position, however they were reached "
            "(if they differ in something that board() does not show, show it)"
        )
        with position.examined():
            _require(state == twin.state, promise, twin)
            _require(hash(state) == hash(twin.state), "Equal states must have equal hashes", twin)
            other, other_look = self.by_state.setdefault(state, (position, look))
            promise = f"States that differ must not be equal: {look.difference(other_look)} differ"
            _require(look == other_look, promise, other)
        return look


# Before the first move


def _check_names(state: State) -> None:
    game, title, names = state.game, state.title, state.player_names
    promise = "`game` must be a short name in lower case, like connect_four"
    _require(isinstance(game, str) and game.isidentifier() and game.islower(), promise, game)
    promise = "`title` must be the name to show on the screen"
    _require(isinstance(title, str) and title.strip() != "", promise, title)
    promise = "`player_names` must be two names with different first letters, for str(state)"
    kept = type(names) is tuple and len(names) == 2 == len({name[:1] for name in names} - {""})
    _require(kept, promise, names)


def _check_first(state: State) -> None:
    _require(state.current_player == 0, "Player 0 must move first", state.current_player)
    promise = "last_action must be None before the first move"
    _require(state.last_action is None, promise, state.last_action)
    _require(not state.is_terminal, "A game must not be over at its start")
    last_square = state.board().last_square
    promise = "board().last_square must be None before the first move"
    _require(last_square is None, promise, last_square)
    _require(type(state.num_actions) is int, "num_actions must be an int", state.num_actions)


def _check_notation(state: State, actions: Iterable[int]) -> None:
    """Every action must have a name of its own that leads back to it."""
    names: dict[str, int] = {}
    for action in actions:
        name = state.action_to_string(action)
        promise = "action_to_string() must be a text without blanks"
        _require(isinstance(name, str) and name.split() == [name], promise, name)
        other = names.setdefault(name.lower(), action)
        promise = f"Actions {other} and {action} must not have the same name (case does not matter)"
        _require(other == action, promise, name)
    for name, action in names.items():
        for text in (name, name.upper(), f" {name} "):
            found = state.string_to_action(text)
            _require(found == action, f"string_to_action({text!r}) must be {action}", found)
    _require_error(ValueError, state.string_to_action, "no such action")


def _check_symmetries(state: State) -> None:
    """They must be permutations that fit each other and the board, and they must form a group."""
    board = state.board()
    num_squares = board.rows * board.cols
    symmetries, still = state.symmetries(), identity(num_squares, state.num_actions)
    promise = f"symmetries() must be a tuple that begins with {still}"
    _require(type(symmetries) is tuple and symmetries[:1] == (still,), promise, symmetries)
    for symmetry in symmetries:
        promise = f"A symmetry must be two permutations, of the squares and the actions of {still}"
        _require(tuple(map(sorted, symmetry)) == tuple(map(list, still)), promise, symmetry)
        for action, moved in enumerate(symmetry.actions):
            square, moved_square = _action_square(state, action), state.action_square(moved)
            expected = None if square is None else symmetry.squares[square]
            promise = f"A symmetry that makes action {action} {moved} must move its square, too"
            _require(moved_square == expected, promise, moved_square)
        for other in symmetries:
            promise = "Any two symmetries, one after the other, must be one of symmetries()"
            _require(_after(symmetry, other) in symmetries, promise, symmetry, other)


def _after(first: Symmetry, second: Symmetry) -> Symmetry:
    """Both symmetries together, the first one first."""
    return Symmetry(
        tuple(second.squares[square] for square in first.squares),
        tuple(second.actions[action] for action in first.actions),
    )


# One game


def _check_game(
    first: _Position, memory: _Memory, max_plies: int, rng: np.random.Generator
) -> _Position:
    """Play one random game, test its positions, and return the last one."""
    positions, looks = [first], [memory.meet(first)]
    while not looks[-1].is_terminal:
        here, look = positions[-1], looks[-1]
        with here.examined():
            promise = f"A game must end; this one is not over after max_plies={max_plies}"
            _require(len(here.actions) < max_plies, promise)
            _check_position(here, look, rng)
            tried = _some(look.legal_actions, rng)
            for action in tried:
                _check_child(here, look, action)
            _check_notation(here.state, tried[:1])
            _check_transpositions(here, tried, memory)
        positions.append(here.after(tried[0]))
        looks.append(memory.meet(positions[-1]))
    with positions[-1].examined():
        _check_position(positions[-1], looks[-1], rng)
    _check_moved_game(positions, looks)
    for position, look in zip(positions, looks, strict=True):
        _check_unchanged(position, look, "the game was played on from it")
    for position, following in zip(positions, [*positions[1:], None], strict=True):
        with position.examined():
            _check_integers(position.state, following.state if following else None)
    return positions[-1]


def _check_integers(state: State, child: State | None) -> None:
    """The rules on integers, if there are any, must be those of the class.

    A game of more than 64 squares, whose rules change words in place, is left out.
    """
    compilable = state.compilable()
    if compilable is None or compilable.words:
        return
    rules, geometry, position = compilable.rules, compilable.geometry, compilable.position
    promise = "The last entry of compilable().position must be current_player"
    _require(position[-1] == state.current_player, promise, position)
    bits = rules.legal_moves(position, geometry)
    result = rules.outcome(position, bits, geometry)
    expected, name = OPEN, "OPEN"
    if state.is_terminal:
        expected, name = RESULTS[state.returns()[state.current_player]]
    promise = f"outcome() on integers must be {name}, which is {expected}, as in the class"
    _require(result == expected, promise, result)
    if child is None:
        return
    moves: dict[int, int] = {
        move if rules.action_of is None else rules.action_of(move, geometry): move
        for move in square_bits(bits)
    } or {compilable.pass_action: PASS}
    promise = f"legal_moves() on integers must be {state.legal_actions()}, as in the class"
    _require(tuple(sorted(moves)) == state.legal_actions(), promise, tuple(sorted(moves)))
    action, following = child.last_action, child.compilable()
    assert action is not None
    assert following is not None
    played = rules.play(position, moves[action], geometry)
    promise = (
        f"play() on integers must lead to compilable().position of child({action}), "
        f"{following.position}"
    )
    _require(played == following.position, promise, played)


def _check_transpositions(position: _Position, tried: Sequence[int], memory: _Memory) -> None:
    """Reach positions by the same moves in another order; `memory` compares them."""
    if len(tried) < 3:
        return
    first, between, last = tried[:3]
    for order in ((first, last), (last, first), (first, between, last), (last, between, first)):
        reached = position
        for action in order:
            if action not in reached.look().legal_actions:
                break
            reached = reached.after(action)
        else:
            memory.meet(reached)


def _check_moved_game(positions: Sequence[_Position], looks: Sequence[_Look]) -> None:
    """Rotated or mirrored, a game must continue in the same way.

    This can be checked with the symmetries that leave the first position unchanged.
    """
    for symmetry in positions[0].state.symmetries()[1:]:
        if looks[0].moved(symmetry) != looks[0]:
            continue
        twin = positions[0]
        for position, look in zip(positions[1:], looks[1:], strict=True):
            twin = twin.after(symmetry.actions[position.actions[-1]])
            different = twin.look().difference(look.moved(symmetry))
            with twin.examined():
                promise = f"A symmetry must leave the rules unchanged: {different} would change"
                _require(not different, promise, symmetry)


# One position


def _check_position(position: _Position, look: _Look, rng: np.random.Generator) -> None:
    """What must hold in every position, including the end of a game."""
    state, legal, num_actions = position.state, look.legal_actions, position.state.num_actions
    _check_board(state)
    _check_copies(position, look)
    names = [state.action_to_string(action).lower() for action in legal]
    promise = "A pass must be legal only if it is forced"
    _require("pass" not in names or len(legal) == 1, promise, names)
    illegal = sorted(set(range(num_actions)) - set(legal))
    for action in (*_some(illegal, rng), -1, num_actions, num_actions + 1_000):
        _require_error(IllegalActionError, state.child, action)
    _check_unchanged(position, look, "child() of an illegal action")
    for draw in (state.__str__, state.__repr__, state._repr_svg_):
        text, promise = draw(), f"{draw.__name__}() must draw the state"
        _require(isinstance(text, str) and text != "", promise, text)


def _check_board(state: State) -> None:
    board = state.board()
    style, squares, winning = board.style, range(board.rows * board.cols), board.winning_squares
    _require(isinstance(style, BoardStyle), "board().style must be one of BoardStyle", style)
    promise = f"board().stones must be EMPTY, 0 or 1 for each of {len(squares)} squares"
    kept = len(board.stones) == len(squares) and {*board.stones} <= {EMPTY, 0, 1}
    _require(kept, promise, board.stones)
    labels = board.row_labels, board.column_labels
    promise = "board() must have a label for every row and every column"
    _require(tuple(map(len, labels)) == (board.rows, board.cols), promise, labels)
    promise = "board().winning_squares must be squares of the board"
    _require(set(winning) <= set(squares), promise, winning)
    promise = f"bitboards() must be those of board(), {board.bitboards()}"
    _require(state.bitboards() == board.bitboards(), promise, state.bitboards())


def _check_copies(position: _Position, look: _Look) -> None:
    """A state must survive being sent to another process, and compare with anything."""
    state = position.state
    twins = {
        "pickle.loads(pickle.dumps(state))": pickle.loads(pickle.dumps(state)),
        "copy.copy(state)": copy.copy(state),
        "copy.deepcopy(state)": copy.deepcopy(state),
    }
    for way, twin in twins.items():
        kept = twin == state and hash(twin) == hash(state) and twin.last_action == state.last_action
        _require(kept, f"{way} must be equal to state, with the same hash and last_action", twin)
        _check_unchanged(_Position(twin, position.actions), look, way)
    for stranger in (None, "state", 0):
        promise = "A state must be equal to no other type (let __eq__ return NotImplemented)"
        _require((state == stranger) is False, promise, stranger)


def _check_child(position: _Position, look: _Look, action: int) -> None:
    """What must hold for every legal move."""
    state, child = position.state, position.after(action)
    _check_unchanged(position, look, f"child({action})")
    square = _action_square(state, action)
    with child.examined():
        promise = "num_actions must be an int, the same in every position of a game"
        num_actions = child.state.num_actions
        kept = type(num_actions) is int and num_actions == state.num_actions
        _require(kept, promise, num_actions)
        last_action, last_square = child.state.last_action, child.state.board().last_square
        promise = f"last_action must be the action that led here, {action}"
        _require(last_action == action, promise, last_action)
        promise = f"board().last_square must be what action_square() was before the move, {square}"
        _require(last_square == square, promise, last_square)
    numpy_int: Any = np.int64(action)
    for again in (state.child(action), state.child(numpy_int)):
        kept = again == child.state and hash(again) == hash(child.state)
        _require(kept, "child() must give the same state every time, also for np.int64", again)


def _action_square(state: State, action: int) -> int | None:
    """`action_square(action)`; a click on that square must choose an action there, if any."""
    board, square = state.board(), state.action_square(action)
    if square is None:
        return None
    promise = f"action_square({action}) must be a square of the board, or None"
    _require(square in range(board.rows * board.cols), promise, square)
    clicked = state.square_action(square)
    promise = f"square_action({square}) must be None or an action that plays there, like {action}"
    _require(clicked is None or state.action_square(clicked) == square, promise, clicked)
    return square


def _check_unchanged(position: _Position, look: _Look, after: str) -> None:
    different = position.look().difference(look)
    with position.examined():
        promise = f"A state never changes: child() must work on a copy; after {after} {different}"
        _require(not different, f"{promise} changed")


def _some(actions: Sequence[int], rng: np.random.Generator) -> list[int]:
    """Up to SAMPLE_SIZE of `actions`, in random order."""
    return [actions[place] for place in rng.permutation(len(actions))[:SAMPLE_SIZE]]
