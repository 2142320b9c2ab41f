"""Whether a game follows the protocol of `state.py`: one check for every game, including yours.

    from mctslab.games import contract

    contract.check(MyGame())

It plays random games and compares each position with the promises of the protocol, each of which is
one sentence below. The first broken promise is raised as a `ContractError`, which says what must
hold, what the game did instead, and in which position.
"""

import pickle
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from mctslab.boards.board import EMPTY, Board, square_bits
from mctslab.games.bitboards import plain_int
from mctslab.games.rules import DRAWN, LOST, OPEN, PASS, WON, check_end
from mctslab.games.state import GameNotOverError, IllegalActionError, Rng, State, as_generator
from mctslab.games.symmetry import identity

SAMPLE_SIZE: Final = 6
"""How many of a position's legal and illegal actions are tried, drawn at random."""

RESULTS: Final = ("drawn", "player 0 won", "player 1 won")
OUTCOMES: Final = (DRAWN, WON, LOST)
"""Both by the return of a player, 0, 1 or -1, which is the last one."""


class ContractError(AssertionError):
    """A game has broken a promise of the protocol; the message says which one, how, and where."""


def _attempt(method: Callable[..., object], *arguments: object) -> object:
    """What a call returns, or the error that it raises."""
    try:
        return method(*arguments)
    except Exception as error:
        return error


def check(first_state: State, *, num_games: int = 20, max_plies: int = 2_000, rng: Rng = 0) -> str:
    """Play random games from `first_state` and test every promise of the protocol on the way.

    Args:
        first_state: the first position of the game, `MyGame()`.
        num_games: how many games to play.
        max_plies: a game that is longer counts as one that never ends.
        rng: draws the games, a generator or a seed; without it they are the same every time.

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
    if (plain_int(num_games) or 0) < 1:
        raise ValueError(f"num_games={num_games!r}: at least one game is needed.")
    walk, problem, cause = _Walk(first_state, as_generator(rng)), "", None
    try:
        for promise, found, is_kept in walk.promises(num_games, max_plies):
            if not is_kept:
                shown = found if isinstance(found, str) else repr(found)
                problem = f"{promise}.\nFound: {shown}"
                break
    except Exception as error:
        place, cause = traceback.extract_tb(error.__traceback__)[-1], error
        found = f"{type(error).__name__}: {error}\nIt comes from {place.name}(): {place.line}"
        problem = f"Nothing must raise an error here.\nFound: {found}"
    if problem:
        where = "first_state" + "".join(f".child({action})" for action in walk.actions)
        drawn = _attempt(str, walk.state)  # str() may be what is broken
        name = type(walk.state).__name__
        raise ContractError(f"{name}: {problem}\nThis is {where}:\n{drawn}") from cause
    lengths, results = zip(*walk.ends, strict=True)
    counts = [f"{result} {results.count(result)}" for result in sorted({*results})]
    return (
        f"{first_state.title} keeps the contract.\n"
        f"Random games: {num_games}, of {min(lengths)} to {max(lengths)} plies\n"
        f"Results: {', '.join(counts)}\n"
        f"Different positions: {len(walk.looks):,}"
    )


# Random games

Promises: TypeAlias = Iterator[tuple[str, object, bool]]
"""What must hold, what was found, and whether that is right; one promise after the other."""


class _Look(NamedTuple):
    """Everything that a state shows, except for the last move."""

    current_player: int
    legal_actions: tuple[int, ...]
    returns: tuple[float, float] | None
    stones: tuple[int | str, ...]
    """Of a game without squares, the letters of its text."""

    def difference(self, state: State) -> str:
        """Which parts of another state are not the same, such as `legal_actions, stones`."""
        parts = zip(self._fields, self, _look(state), strict=True)
        return ", ".join(name for name, mine, other in parts if mine != other)


def _look(state: State) -> _Look:
    returns = state.returns() if state.is_terminal else None
    board = state.board()
    shown = (*board.text,) if board.text else board.stones
    return _Look(state.current_player, state.legal_actions(), returns, shown)


class _Walk:
    """Random games, position by position: `state` is where the walk is, and `actions` led there."""

    def __init__(self, first_state: State, rng: np.random.Generator) -> None:
        self.first_state, self.rng = first_state, rng
        self.state, self.actions = first_state, tuple[int, ...]()
        self.looks: dict[_Look, tuple[State, tuple[int, ...]]] = {}
        self.states: dict[State, State] = {}
        self.ends: list[tuple[int, str]] = []  # the length and the result of each game

    def promises(self, num_games: int, max_plies: int) -> Promises:
        """Play games, and yield the promises of each position when the walk is there."""
        compilable = self.state.compilable()
        endless = compilable and _attempt(check_end, compilable)
        yield "The functions of compilable().rules must return", endless, not endless
        yield from _position(self.state)
        yield from _first_position(self.state)
        for _ in range(num_games):
            self.state, self.actions = self.first_state, ()
            yield from self._game(max_plies)
            result = self.state.returns()[0]
            said = RESULTS[int(result)] if result in (-1, 0, 1) else f"{result:.2f} for player 0"
            self.ends.append((len(self.actions), said))

    def _game(self, max_plies: int) -> Promises:
        """Play one game, with side steps to positions that other orders of the moves reach."""
        looks: list[_Look] = []
        while not looks or looks[-1].returns is None:
            yield "A game must end", f"{max_plies} plies and no end", len(looks) <= max_plies
            yield from self._meeting()
            state, actions, look = self.state, self.actions, _look(self.state)
            looks.append(look)
            yield from _copies(state, look)
            tried = self._some(look.legal_actions)
            illegal = self._some({*range(state.num_actions)} - {*look.legal_actions})
            for action in (*illegal, -1, state.num_actions):
                found = _attempt(state.child, action)
                is_right = isinstance(found, IllegalActionError)
                yield f"child({action}), not legal, must raise IllegalActionError", found, is_right
            for action in tried:
                yield from _move(state, action, look)
            yield from _on_integers(state, look, tried)
            for moves in (tried[:3], tried[2::-1], tried[:1]):  # the first two often end alike
                self.state, self.actions = state, actions
                for action in moves:
                    if action in self.state.legal_actions():
                        child = self.state.child(action)
                        self.state, self.actions = child, (*self.actions, action)
                yield from self._meeting()
        yield from _symmetric(self.first_state, looks, self.actions)

    def _meeting(self) -> Promises:
        """Of a position by itself, and beside all those that were met before."""
        yield from _position(self.state)
        state, look = self.state, _look(self.state)
        twin, actions = self.looks.setdefault(look, (state, self.actions))
        promise = "States must be equal, with equal hashes, if they are the same position, however "
        promise += "reached (if they differ in something that board() does not show, show it)"
        is_equal = state == twin and hash(state) == hash(twin)
        yield promise, f"another state after {actions}", is_equal
        difference = look.difference(self.states.setdefault(state, state))
        yield "States that differ must not be equal", f"{difference} differ", not difference

    def _some(self, actions: Collection[int]) -> list[int]:
        """Up to SAMPLE_SIZE of `actions`, in random order."""
        order = self.rng.permutation(len(actions))[:SAMPLE_SIZE]
        return [sorted(actions)[place] for place in order]


# The promises


def _position(state: State) -> Promises:
    """Of what everything else uses."""
    player, terminal, num_actions = state.current_player, state.is_terminal, state.num_actions
    is_player = type(player) is int and player in (0, 1)
    yield "current_player must be the int 0 or 1, even at the end of a game", player, is_player
    yield "is_terminal must be a bool, with @property", terminal, type(terminal) is bool
    yield "num_actions must be an int, with @property", num_actions, type(num_actions) is int
    legal, returns, board = state.legal_actions(), _attempt(state.returns), state.board()
    are_ints = type(legal) is tuple and {type(action) for action in legal} <= {int}
    ascend = are_ints and legal == tuple(sorted({*legal} & {*range(num_actions)}))
    promise = f"legal_actions() must be a tuple of ints (not of NumPy's), 0 to {num_actions - 1}"
    yield f"{promise}, in ascending order, each once", legal, ascend
    promise = "legal_actions() must be empty exactly if is_terminal (a pass is an action)"
    yield promise, f"{legal}, is_terminal={terminal}", (not legal) == terminal
    is_open = isinstance(returns, GameNotOverError)
    numbers = returns if type(returns) is tuple and len(returns) == 2 else (2, 2)
    is_result = numbers[0] == -numbers[1] and abs(numbers[0]) <= 1
    promise = (
        "returns() must be (1, -1) if player 0 has won, (-1, 1) if player 1 has, (0, 0) after a "
    )
    promise += "draw, or (r, -r) with a number r between -1 and 1; it must raise GameNotOverError "
    promise += "until the game is over"
    yield promise, returns, is_result if terminal else is_open
    promise = "board() must be a Board, its stones a tuple of EMPTY, 0 or 1 for each square"
    is_board = isinstance(board, Board) and type(board.stones) is tuple
    num_squares = board.rows * board.cols if is_board else 0
    are_stones = is_board and len(board.stones) == num_squares and {*board.stones} <= {EMPTY, 0, 1}
    yield promise, board, are_stones


def _first_position(state: State) -> Promises:
    """Of the names, the first position, and the symmetries."""
    game, title, players = state.game, state.title, state.player_names
    is_name = isinstance(game, str) and game.isidentifier() and game.islower()
    yield "`game` must be a short name in lower case, like connect_four", repr(game), is_name
    yield "`title` must be the name to show", repr(title), isinstance(title, str) and title != ""
    are_names = len(players) == 2 == len({name[:1] for name in players})
    yield "`player_names` must be two with different first letters", players, are_names
    board, symmetries = state.board(), state.symmetries()
    found = (state.current_player, state.is_terminal, state.last_action, board.last_square)
    promise = "current_player, is_terminal, last_action and board().last_square of the first "
    yield f"{promise}position must be 0, False, None, None", found, found == (0, False, None, None)
    error = _attempt(state.string_to_action, "no such action")
    promise = "string_to_action('no such action') must raise ValueError"
    yield promise, error, isinstance(error, ValueError)
    still = identity(board.rows * board.cols, state.num_actions)
    begin_so = type(symmetries) is tuple and symmetries[:1] == (still,)
    yield "symmetries() must be a tuple that begins with the identity", symmetries, begin_so


def _copies(state: State, look: _Look) -> Promises:
    """Of pictures, names, and what arrives in another process."""
    board, drawn = state.board(), (str(state), repr(state), state._repr_svg_())
    yield "str(), repr() and _repr_svg_() must draw the state", drawn, all(drawn)
    labels, shape = (board.row_labels, board.column_labels), (board.rows, board.cols)
    yield f"board() must have {shape} labels", labels, tuple(map(len, labels)) == shape
    bits, expected = state.bitboards(), board.bitboards()
    yield f"bitboards() must be those of board(), {expected}", bits, bits == expected
    names = [state.action_to_string(action).lower() for action in look.legal_actions]
    yield "A pass must be legal only if it is forced", names, "pass" not in names or len(names) < 2
    twin = pickle.loads(pickle.dumps(state))
    found = twin == state, hash(twin) == hash(state), twin.last_action, look.difference(twin)
    promise = "pickle.loads(pickle.dumps(state)) must equal state, with its hash and last_action"
    yield promise, found, found == (True, True, state.last_action, "")


def _move(state: State, action: int, look: _Look) -> Promises:
    """Of a legal action."""
    child, square = state.child(action), state.action_square(action)
    changed, kind = look.difference(state), type(state)
    promise = f"A state never changes: child({action}) must make a new one"
    yield promise, f"{changed} changed", not changed
    yield f"child({action}) must return a {kind.__name__}", child, type(child) is kind
    found = (child.last_action, child.board().last_square, child.num_actions)
    expected: tuple[int | None, ...] = (action, square, state.num_actions)  # before the move
    if kind.board is State.board:  # the text of the position, without the last move
        expected = (child.last_action, None, state.num_actions)
    promise = f"last_action, board().last_square and num_actions of child({action}) must be "
    yield f"{promise}{expected}", found, found == expected
    numpy_action: Any = np.int64(action)
    for again in (state.child(action), state.child(numpy_action)):
        promise = "child() must give the same state every time, also for np.int64"
        yield promise, again, again == child and hash(again) == hash(child)
    name = state.action_to_string(action)
    yield "action_to_string() must be a text without blanks", repr(name), name.split() == [name]
    back = [state.string_to_action(text) for text in (name.lower(), f" {name.upper()} ")]
    promise = f"string_to_action() must find action {action}, and no other, by {name!r} in any case"
    yield promise, back, back == [action, action]
    clicked = None if square is None else state.square_action(square)
    promise = f"square_action({square}) must be None or an action that plays there, like {action}"
    yield promise, clicked, clicked is None or state.action_square(clicked) == square


def _on_integers(state: State, look: _Look, tried: Sequence[int]) -> Promises:
    """Of the rules on integers, if there are any that don't change words in place."""
    game = state.compilable()
    if game is None or game.words:
        return
    rules, geometry, position = game[:3]
    player, bits = look.current_player, rules.legal_moves(position, geometry)
    expected = (player, OUTCOMES[int(look.returns[player])] if look.returns else OPEN)
    found = position[-1], rules.outcome(position, bits, geometry)
    promise = "The end of the position and outcome() on integers (OPEN 0, LOST 1, DRAWN 2, WON 3) "
    yield f"{promise}must be {expected}, as in the class", found, found == expected
    action_of = rules.action_of or (lambda move, geometry: move)
    moves = {action_of(move, geometry): move for move in square_bits(bits)}
    moves = moves or {game.pass_action: PASS}
    legal, promise = tuple(sorted(moves)), "legal_moves() on integers must be legal_actions()"
    yield f"{promise}, {look.legal_actions}", legal, legal == look.legal_actions or not tried
    for action in tried:
        played, child = rules.play(position, moves[action], geometry), state.child(action)
        following = child.compilable()
        after = following and following.position
        promise = f"play() on integers must lead to compilable().position of child({action})"
        yield f"{promise}, {after}", played, played == after


def _symmetric(first: State, looks: Sequence[_Look], actions: Sequence[int]) -> Promises:
    """Of those symmetries that leave the first position unchanged."""
    for symmetry in first.symmetries()[1:]:
        origins, twin = np.argsort(symmetry.squares).tolist(), first
        for ply, look in enumerate(looks):
            legal = tuple(sorted(symmetry.actions[action] for action in look.legal_actions))
            stones = tuple(look.stones[square] for square in origins)
            difference = look._replace(legal_actions=legal, stones=stones).difference(twin)
            if difference and ply == 0:
                break
            promise = f"A symmetry must leave the rules unchanged; after {ply} plies by {symmetry}"
            yield promise, f"other {difference}", not difference
            if ply < len(actions):
                twin = twin.child(symmetry.actions[actions[ply]])
