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
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np

from mctslab.boards.board import EMPTY, Board, BoardStyle, square_bits
from mctslab.games.rules import DRAWN, LOST, OPEN, PASS, WON, EndlessRulesError, check_end
from mctslab.games.state import GameNotOverError, IllegalActionError, State
from mctslab.games.symmetry import Symmetry, identity

SAMPLE_SIZE: Final = 6
"""How many of a position's legal and illegal actions are tried, drawn at random."""

Found = TypeVar("Found")
Promise: TypeAlias = tuple[Any, ...]
"""Whether it is kept, what must hold, and what the game did instead."""
Promises: TypeAlias = Generator[Promise, None, Found]
"""The promises of a position, one by one; what the generator returns was found on the way."""


class ContractError(AssertionError):
    """A game has broken a promise of the protocol; the message says which one, and how.

    Attributes:
        state: the position where it happened.
        actions: the actions that lead there from the first position.
    """

    def __init__(self, message: str, state: State, actions: tuple[int, ...]) -> None:
        super().__init__(message, state, actions)
        self.state = state
        self.actions = actions

    def __str__(self) -> str:
        where = "first_state" + "".join(f".child({action})" for action in self.actions)
        try:
            drawn = str(self.state)
        except Exception:  # str() may be what is broken
            drawn = ""
        return f"{type(self.state).__name__}: {self.args[0]}\nThis is {where}:\n{drawn}"


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
    Tic-Tac-Toe keeps the contract.
    Random games: 20, of 5 to 9 plies
    Results: drawn ...
    """
    if not isinstance(first_state, State):
        raise TypeError(f"check() takes a state such as MyGame(), got {first_state!r}.")
    if num_games < 1:
        raise ValueError(f"num_games={num_games!r}: at least one game is needed.")
    rng = rng or np.random.default_rng(0)
    first = _Position(first_state, ())
    first.examine(_rules_end(first_state))
    memory = _Memory()
    memory.meet(first)
    first.examine(_before_the_first_move(first_state))
    ends = [_played(first, memory, max_plies, rng) for _ in range(num_games)]
    counts = Counter(_OUTCOMES[end.state.returns()] for end in ends)
    lengths = [len(end.actions) for end in ends]
    results = ", ".join(f"{name} {counts[name]}" for name in sorted(counts))
    return (
        f"{first_state.title} keeps the contract.\n"
        f"Random games: {num_games}, of {min(lengths)} to {max(lengths)} plies\n"
        f"Results: {results}\n"
        f"Different positions: {len(memory.by_look):,}"
    )


_OUTCOMES: Final[Mapping[tuple[float, float], str]] = {
    (1, -1): "player 0 won",
    (-1, 1): "player 1 won",
    (0, 0): "drawn",
}
_RESULTS: Final[Mapping[float, tuple[str, int]]] = {
    1: ("WON", WON),
    0: ("DRAWN", DRAWN),
    -1: ("LOST", LOST),
}
"""The name and the number of the outcome that a player's return stands for."""


class _Look(NamedTuple):
    """Everything that a state shows, except for the last move."""

    current_player: int
    is_terminal: bool
    legal_actions: tuple[int, ...]
    returns: tuple[float, float] | None
    stones: tuple[int, ...]

    def difference(self, other: "_Look") -> str:
        """Which parts are not the same, such as `legal_actions, returns and stones`."""
        parts = zip(self._fields, self, other, strict=True)
        *names, last = [name for name, mine, theirs in parts if mine != theirs] or [""]
        return f"{', '.join(names)} and {last}" if names else last

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

    def require(self, kept: bool, promise: str, *got: object) -> None:
        """Raise ContractError unless the promise was `kept`; `got` is the game's result.

        Its type is shown, too, so that 1 and np.int64(1), () and [] look different.
        """
        if not kept:
            shown = [f"{thing!r} ({type(thing).__name__})" for thing in got]
            raise ContractError("; got ".join([promise, *shown]) + ".", *self)

    def examine(self, promises: Promises[Found]) -> Found:
        """What `promises` find; any error that they meet is raised as one of this position."""
        try:
            while True:
                self.require(*next(promises))
        except StopIteration as end:
            found: Found = end.value
            return found
        except ContractError:
            raise
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            line = [frame.line for frame in frames if frame.filename == __file__][-1]
            problem = f"`{line}` must not raise {type(error).__name__}: {error}."
            raise ContractError(problem, *self) from error

    def after(self, action: int) -> "_Position":
        """The position after `action`, which is legal."""
        return _Position(self.examine(self._child(action)), (*self.actions, action))

    def _child(self, action: int) -> Promises[State]:
        child = self.state.child(action)
        yield type(child) is type(self.state), "child() must return its own class", child
        return child

    def look(self) -> _Look:
        """The view of this position, each part with the type that the protocol requires."""
        return self.examine(_look(self.state))


def _look(state: State) -> Promises[_Look]:
    player, terminal = state.current_player, state.is_terminal
    is_player = type(player) is int and player in (0, 1)
    yield is_player, "current_player must be the int 0 or 1, even at the end of a game", player
    yield type(terminal) is bool, "is_terminal must be a bool, with @property", terminal
    legal = state.legal_actions()
    are_ints = type(legal) is tuple and {type(action) for action in legal} <= {int}
    yield are_ints, "legal_actions() must be a tuple of ints, not of NumPy's", legal
    ascend = legal == tuple(sorted(set(legal)))
    yield ascend, "legal_actions() must be in ascending order, each once", legal
    are_actions = set(legal) <= set(range(state.num_actions))
    yield are_actions, "legal_actions() must be in range(num_actions)", legal
    promise = "legal_actions() must be empty exactly at terminal states (a pass is an action)"
    yield (not legal) == terminal, promise, legal
    board = state.board()
    is_board = isinstance(board, Board) and type(board.stones) is tuple
    yield is_board, "board() must be a Board, its stones a tuple", board
    if not terminal:
        yield _raises(GameNotOverError, state.returns)
        return _Look(player, terminal, legal, None, board.stones)
    returns = state.returns()
    promise = "returns() must be (1, -1) if player 0 has won, (-1, 1) if player 1 has, or (0, 0)"
    yield type(returns) is tuple and returns in list(_OUTCOMES), promise, returns
    return _Look(player, terminal, legal, returns, board.stones)


def _raises(expected: type[Exception], method: Callable[..., Any], *arguments: Any) -> Promise:
    try:
        got = method(*arguments)
    except Exception as error:
        got = error
    promise = f"{method.__name__}({', '.join(map(str, arguments))}) must raise {expected.__name__}"
    return isinstance(got, expected), promise, got


class _Memory:
    """The positions seen so far: states must be equal exactly if they look the same."""

    def __init__(self) -> None:
        self.by_look: dict[_Look, _Position] = {}
        self.by_state: dict[State, tuple[_Position, _Look]] = {}

    def meet(self, position: _Position) -> _Look:
        """Compare `position` with all positions seen before, and remember it."""
        look = position.look()
        position.examine(self._compared(position, look))
        return look

    def _compared(self, position: _Position, look: _Look) -> Promises[None]:
        state = position.state
        twin = self.by_look.setdefault(look, position)
        promise = (
            "States must be equal when they are the same position, however they were reached "
            "(if they differ in something that board() does not show, show it)"
        )
        yield state == twin.state, promise, twin
        yield hash(state) == hash(twin.state), "Equal states must have equal hashes", twin
        other, other_look = self.by_state.setdefault(state, (position, look))
        promise = f"States that differ must not be equal: {look.difference(other_look)} differ"
        yield look == other_look, promise, other


# Before the first move


def _rules_end(state: State) -> Promises[None]:
    """The functions of the rules must return, when they are called as plain Python."""
    compilable, problem = state.compilable(), ""
    try:
        if compilable is not None:
            check_end(compilable)
    except EndlessRulesError as error:
        problem = str(error).rstrip(".")
    yield not problem, problem


def _before_the_first_move(state: State) -> Promises[None]:
    """The names, the first position, the notation of all actions, and the symmetries."""
    game, title, names = state.game, state.title, state.player_names
    is_short = isinstance(game, str) and game.isidentifier() and game.islower()
    yield is_short, "`game` must be a short name in lower case, like connect_four", game
    is_text = isinstance(title, str) and title.strip() != ""
    yield is_text, "`title` must be the name to show on the screen", title
    promise = "`player_names` must be two names with different first letters, for str(state)"
    are_two = type(names) is tuple and len(names) == 2 == len({name[:1] for name in names} - {""})
    yield are_two, promise, names
    player, last_action = state.current_player, state.last_action
    yield player == 0, "Player 0 must move first", player
    yield last_action is None, "last_action must be None before the first move", last_action
    yield not state.is_terminal, "A game must not be over at its start"
    last_square = state.board().last_square
    promise = "board().last_square must be None before the first move"
    yield last_square is None, promise, last_square
    yield type(state.num_actions) is int, "num_actions must be an int", state.num_actions
    yield from _notation(state, range(state.num_actions))
    yield from _symmetries(state)


def _notation(state: State, actions: Iterable[int]) -> Promises[None]:
    """Every action must have a name of its own that leads back to it."""
    names: dict[str, int] = {}
    for action in actions:
        name = state.action_to_string(action)
        is_word = isinstance(name, str) and name.split() == [name]
        yield is_word, "action_to_string() must be a text without blanks", name
        other = names.setdefault(name.lower(), action)
        promise = f"Actions {other} and {action} must not have the same name (case does not matter)"
        yield other == action, promise, name
    for name, action in names.items():
        for text in (name, name.upper(), f" {name} "):
            found = state.string_to_action(text)
            yield found == action, f"string_to_action({text!r}) must be {action}", found
    yield _raises(ValueError, state.string_to_action, "no such action")


def _symmetries(state: State) -> Promises[None]:
    """They must be permutations that fit each other and the board, and they must form a group."""
    board = state.board()
    symmetries = state.symmetries()
    still = identity(board.rows * board.cols, state.num_actions)
    begin_so = type(symmetries) is tuple and symmetries[:1] == (still,)
    yield begin_so, f"symmetries() must be a tuple that begins with {still}", symmetries
    for symmetry in symmetries:
        promise = f"A symmetry must be two permutations, of the squares and the actions of {still}"
        yield tuple(map(sorted, symmetry)) == tuple(map(list, still)), promise, symmetry
        for action, moved in enumerate(symmetry.actions):
            square = yield from _square(state, action)
            expected = None if square is None else symmetry.squares[square]
            moved_square = state.action_square(moved)
            promise = f"A symmetry that makes action {action} {moved} must move its square, too"
            yield moved_square == expected, promise, moved_square
        for other in symmetries:
            promise = "Any two symmetries, one after the other, must be one of symmetries()"
            yield _after(symmetry, other) in symmetries, promise, symmetry, other


def _after(first: Symmetry, second: Symmetry) -> Symmetry:
    """Both symmetries together, the first one first."""
    return Symmetry(
        tuple(second.squares[square] for square in first.squares),
        tuple(second.actions[action] for action in first.actions),
    )


# One game


def _played(
    first: _Position, memory: _Memory, max_plies: int, rng: np.random.Generator
) -> _Position:
    """The last position of a random game, all of whose positions have been tested."""
    positions, looks = [first], [memory.meet(first)]
    while not looks[-1].is_terminal:
        here, look = positions[-1], looks[-1]
        promise = f"A game must end; this one is not over after max_plies={max_plies}"
        here.require(len(here.actions) < max_plies, promise)
        here.examine(_one_position(here, look, rng))
        tried = _some(look.legal_actions, rng)
        for action in tried:
            here.examine(_one_move(here, look, action))
        here.examine(_notation(here.state, tried[:1]))
        for reached in _in_other_orders(here, tried[:3]) if len(tried) > 2 else ():
            memory.meet(reached)
        positions.append(here.after(tried[0]))
        looks.append(memory.meet(positions[-1]))
    positions[-1].examine(_one_position(positions[-1], looks[-1], rng))
    _play_moved(positions, looks)
    for position, look in zip(positions, looks, strict=True):
        position.examine(_unchanged(position, look, "the game was played on from it"))
    for position, following in zip(positions, [*positions[1:], None], strict=True):
        position.examine(_on_integers(position.state, following.state if following else None))
    return positions[-1]


def _in_other_orders(position: _Position, moves: Sequence[int]) -> Iterator[_Position]:
    """The positions after the same moves in different orders; some of them must be equal."""
    first, between, last = moves
    for order in ((first, last), (last, first), (first, between, last), (last, between, first)):
        reached = position
        for action in order:
            if action not in reached.look().legal_actions:
                break
            reached = reached.after(action)
        else:
            yield reached


def _play_moved(positions: Sequence[_Position], looks: Sequence[_Look]) -> None:
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
            promise = f"A symmetry must leave the rules unchanged: {different} would change"
            twin.require(not different, promise, symmetry)


def _on_integers(state: State, child: State | None) -> Promises[None]:
    """The rules on integers, if there are any, must be those of the class.

    A game of more than 64 squares, whose rules change words in place, is left out.
    """
    compilable = state.compilable()
    if compilable is None or compilable.words:
        return
    rules, geometry, position = compilable.rules, compilable.geometry, compilable.position
    promise = "The last entry of compilable().position must be current_player"
    yield position[-1] == state.current_player, promise, position
    bits = rules.legal_moves(position, geometry)
    result = rules.outcome(position, bits, geometry)
    name, expected = "OPEN", OPEN
    if state.is_terminal:
        name, expected = _RESULTS[state.returns()[state.current_player]]
    promise = f"outcome() on integers must be {name}, which is {expected}, as in the class"
    yield result == expected, promise, result
    if child is None:
        return
    moves: dict[int, int] = {
        move if rules.action_of is None else rules.action_of(move, geometry): move
        for move in square_bits(bits)
    } or {compilable.pass_action: PASS}
    found = tuple(sorted(moves))
    promise = f"legal_moves() on integers must be {state.legal_actions()}, as in the class"
    yield found == state.legal_actions(), promise, found
    action, following = child.last_action, child.compilable()
    assert action is not None
    assert following is not None
    played = rules.play(position, moves[action], geometry)
    promise = (
        f"play() on integers must lead to compilable().position of child({action}), "
        f"{following.position}"
    )
    yield played == following.position, promise, played


# One position


def _one_position(position: _Position, look: _Look, rng: np.random.Generator) -> Promises[None]:
    """What must hold in every position, including the end of a game."""
    state, legal, num_actions = position.state, look.legal_actions, position.state.num_actions
    yield from _board(state)
    yield from _copies(position, look)
    names = [state.action_to_string(action).lower() for action in legal]
    is_forced = "pass" not in names or len(legal) == 1
    yield is_forced, "A pass must be legal only if it is forced", names
    illegal = sorted(set(range(num_actions)) - set(legal))
    for action in (*_some(illegal, rng), -1, num_actions, num_actions + 1_000):
        yield _raises(IllegalActionError, state.child, action)
    yield from _unchanged(position, look, "child() of an illegal action")
    for draw in (state.__str__, state.__repr__, state._repr_svg_):
        text = draw()
        is_text = isinstance(text, str) and text != ""
        yield is_text, f"{draw.__name__}() must draw the state", text


def _board(state: State) -> Promises[None]:
    board = state.board()
    style, squares, winning = board.style, range(board.rows * board.cols), board.winning_squares
    yield isinstance(style, BoardStyle), "board().style must be one of BoardStyle", style
    promise = f"board().stones must be EMPTY, 0 or 1 for each of {len(squares)} squares"
    are_contents = len(board.stones) == len(squares) and {*board.stones} <= {EMPTY, 0, 1}
    yield are_contents, promise, board.stones
    labels = board.row_labels, board.column_labels
    promise = "board() must have a label for every row and every column"
    yield tuple(map(len, labels)) == (board.rows, board.cols), promise, labels
    promise = "board().winning_squares must be squares of the board"
    yield set(winning) <= set(squares), promise, winning
    bits, expected = state.bitboards(), board.bitboards()
    yield bits == expected, f"bitboards() must be those of board(), {expected}", bits


def _copies(position: _Position, look: _Look) -> Promises[None]:
    """A state must survive being sent to another process, and compare with anything."""
    state = position.state
    twins = {
        "pickle.loads(pickle.dumps(state))": pickle.loads(pickle.dumps(state)),
        "copy.copy(state)": copy.copy(state),
        "copy.deepcopy(state)": copy.deepcopy(state),
    }
    for way, twin in twins.items():
        kept = twin == state and hash(twin) == hash(state) and twin.last_action == state.last_action
        yield kept, f"{way} must be equal to state, with the same hash and last_action", twin
        yield from _unchanged(_Position(twin, position.actions), look, way)
    for stranger in (None, "state", 0):
        promise = "A state must be equal to no other type (let __eq__ return NotImplemented)"
        yield (state == stranger) is False, promise, stranger


def _one_move(position: _Position, look: _Look, action: int) -> Promises[None]:
    """What must hold for every legal move."""
    state, child = position.state, position.after(action)
    yield from _unchanged(position, look, f"child({action})")
    square = yield from _square(state, action)
    kept = type(child.state.num_actions) is int and child.state.num_actions == state.num_actions
    promise = "num_actions must be an int, the same in every position of a game"
    child.require(kept, promise, child.state.num_actions)
    last_action, last_square = child.state.last_action, child.state.board().last_square
    promise = f"last_action must be the action that led here, {action}"
    child.require(last_action == action, promise, last_action)
    promise = f"board().last_square must be what action_square() was before the move, {square}"
    child.require(last_square == square, promise, last_square)
    numpy_int: Any = np.int64(action)
    for again in (state.child(action), state.child(numpy_int)):
        kept = again == child.state and hash(again) == hash(child.state)
        yield kept, "child() must give the same state every time, also for np.int64", again


def _square(state: State, action: int) -> Promises[int | None]:
    """`action_square(action)`; a click on that square must choose an action there, if any."""
    board, square = state.board(), state.action_square(action)
    if square is None:
        return None
    is_square = square in range(board.rows * board.cols)
    yield is_square, f"action_square({action}) must be a square of the board, or None", square
    clicked = state.square_action(square)
    promise = f"square_action({square}) must be None or an action that plays there, like {action}"
    yield clicked is None or state.action_square(clicked) == square, promise, clicked
    return square


def _unchanged(position: _Position, look: _Look, after: str) -> Promises[None]:
    different = position.look().difference(look)
    promise = f"A state never changes: child() must work on a copy; after {after} {different}"
    yield not different, f"{promise} changed"


def _some(actions: Sequence[int], rng: np.random.Generator) -> list[int]:
    """Up to SAMPLE_SIZE of `actions`, in random order."""
    return [actions[place] for place in rng.permutation(len(actions))[:SAMPLE_SIZE]]
