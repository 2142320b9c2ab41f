"""Whether a game keeps to the protocol of `state.py`: one check for every game, also for yours.

    from mctslab.games import contract

    contract.check(MyGame())

It plays random games and holds each position against what the protocol promises. The first broken
promise is raised as a `ContractError` that says which one, in which position, what came and what
was expected.
"""

import copy
import operator
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab.boards.board import EMPTY, Board, BoardStyle
from mctslab.games.state import GameNotOverError, IllegalActionError, State
from mctslab.games.symmetry import Symmetry, identity

SAMPLE_SIZE: Final = 6
"""How many of a position's legal and illegal actions are tried, drawn at random."""

OUTCOMES: Final[Mapping[tuple[float, float], str]] = {
    (1, -1): "player 0 won",
    (-1, 1): "player 1 won",
    (0, 0): "drawn",
}


class ContractError(AssertionError):
    """A game has broken a promise of the protocol.

    Attributes:
        promise: the promise, a sentence.
        came: what the game did.
        expected: what would have kept the promise.
        state: the position where it happened.
        actions: the actions that lead there from the first position.
    """

    def __init__(self, position: "Position", promise: str, came: str, expected: str) -> None:
        super().__init__(position, promise, came, expected)
        self.promise = promise
        self.came = came
        self.expected = expected
        self.state = position.state
        self.actions = position.actions

    def __str__(self) -> str:
        way = "".join(f".child({action})" for action in self.actions)
        return (
            f"{type(self.state).__name__} breaks a promise: {self.promise}\n"
            f"  expected: {self.expected}\n"
            f"  came:     {self.came}\n"
            f"  where:    first_state{way}\n"
            f"{_drawn(self.state)}"
        )


@dataclass(frozen=True)
class Report:
    """What was played while no promise was broken."""

    title: str
    num_positions: int
    lengths: tuple[int, ...]
    """Plies of each game."""
    outcomes: tuple[str, ...]
    """How each game ended, one of the values of OUTCOMES."""

    def __str__(self) -> str:
        counts = Counter(self.outcomes)
        results = ", ".join(f"{outcome} {counts[outcome]}" for outcome in OUTCOMES.values())
        return (
            f"{self.title} keeps to the protocol. Random games: {len(self.lengths)}, of "
            f"{min(self.lengths)} to {max(self.lengths)} plies ({results}); "
            f"different positions: {self.num_positions}."
        )

    __repr__ = __str__


def check(
    first_state: State,
    *,
    num_games: int = 20,
    max_plies: int = 2_000,
    rng: np.random.Generator | None = None,
) -> Report:
    """Play random games from `first_state` and test every promise of the protocol on the way.

    Args:
        first_state: the first position of the game, `MyGame()`.
        num_games: how many games to play.
        max_plies: a longer game is taken for one that never ends.
        rng: draws the games; without it they are the same every time.

    Raises:
        ContractError: a promise was broken.
        TypeError: `first_state` is no state.
        ValueError: `num_games` is below one.

    >>> from mctslab.games import TicTacToe
    >>> print(check(TicTacToe()))  # doctest: +ELLIPSIS
    Tic-Tac-Toe keeps to the protocol. Random games: 20, of 5 to 9 plies (player 0 won ...
    """
    _check_is_state(first_state)
    if num_games < 1:
        raise ValueError(f"num_games={num_games!r}: it takes at least one game.")
    if rng is None:
        rng = np.random.default_rng(0)
    first = Position(first_state, ())
    _check_names(first)
    _check_first(first)
    _check_notation(first, range(first_state.num_actions))
    _check_symmetries(first)
    memory = Memory()
    ends = [_check_game(first, memory, max_plies, rng) for _ in range(num_games)]
    return Report(
        title=first_state.title,
        num_positions=len(memory),
        lengths=tuple(len(end.actions) for end in ends),
        outcomes=tuple(OUTCOMES[end.state.returns()] for end in ends),
    )


class Look(NamedTuple):
    """All that a state shows, but for the last move."""

    current_player: int
    is_terminal: bool
    legal_actions: tuple[int, ...]
    returns: tuple[float, float] | None
    stones: tuple[int, ...]


@dataclass(frozen=True)
class Position:
    """A state, and the actions that led to it from the first one."""

    state: State
    actions: tuple[int, ...]

    def require(self, kept: bool, promise: str, came: str, expected: str) -> None:
        """Raise ContractError unless the promise was `kept`."""
        if not kept:
            raise ContractError(self, promise, came, expected)

    def ask(self, question: str, function: Callable[..., Any], *arguments: object) -> Any:
        """What `function` answers; an error of the game's is a broken promise to answer.

        The answer is of any type, whatever the game's annotations say: that is for us to check.
        """
        try:
            return function(*arguments)
        except Exception as error:
            promise = f"{question} has an answer in every position."
            raise ContractError(self, promise, _told(error), "no error") from error

    def read(self, name: str) -> Any:
        """The state's property called `name`, of any type, too."""
        return self.ask(name, getattr, self.state, name)

    def after(self, action: int) -> "Position":
        """The position after `action`, which is legal."""
        child = self.ask(f"child({action})", self.state.child, action)
        self.require(
            type(child) is type(self.state),
            "child() returns the next state, one of the same class.",
            f"child({action}) returned {_shown(child)}",
            f"a new {type(self.state).__name__}",
        )
        return Position(child, (*self.actions, action))

    def look(self) -> Look:
        """What there is to see, each part of the kind that the protocol names."""
        terminal = _check_is_terminal(self)
        return Look(
            _check_current_player(self),
            terminal,
            _check_legal_actions(self, terminal),
            _check_returns(self, terminal),
            _check_stones(self),
        )


class Memory:
    """The positions met so far: equal states have to look the same, and the other way round."""

    def __init__(self) -> None:
        self._by_look: dict[Look, Position] = {}
        self._by_state: dict[State, tuple[Position, Look]] = {}

    def __len__(self) -> int:
        return len(self._by_look)

    def meet(self, position: Position) -> Look:
        """Compare `position` with all that were met before, and remember it."""
        look = position.look()
        position.ask("hash()", hash, position.state)
        twin = self._by_look.setdefault(look, position)
        position.require(
            position.ask("==", operator.eq, position.state, twin.state),
            "States are equal when they are the same position, however they were reached.",
            f"state == other is False, where other is the state after {_path(twin)}",
            "True, as both look the same: player to move, legal actions, returns and stones. "
            "(If they differ in something that board() does not show, show it.)",
        )
        position.require(
            hash(position.state) == hash(twin.state),
            "Equal states have equal hashes.",
            f"another hash than that of the equal state after {_path(twin)}",
            "the same hash, made of the same parts as ==",
        )
        known, known_look = self._by_state.setdefault(position.state, (position, look))
        position.require(
            look == known_look,
            "States that differ are not equal.",
            f"state == other is True, where other is the state after {_path(known)}; "
            f"their {_difference(look, known_look)} differ",
            "False",
        )
        return look


# Before the first move


def _check_is_state(first_state: object) -> None:
    if isinstance(first_state, type):
        raise TypeError(f"check() takes a state, not a class: check({first_state.__name__}()).")
    if not isinstance(first_state, State):
        raise TypeError(f"{first_state!r} is no game: its class has to be a subclass of State.")


def _check_names(first: Position) -> None:
    game = getattr(first.state, "game", None)
    first.require(
        isinstance(game, str) and game.isidentifier() and game.islower(),
        "`game` is a short name in lower case, like reversi or connect_four.",
        _shown(game),
        "lower-case letters, digits and _",
    )
    title = getattr(first.state, "title", None)
    first.require(
        isinstance(title, str) and title.strip() != "",
        "`title` is the name on the screen.",
        _shown(title),
        "a str that isn't empty",
    )
    names = getattr(first.state, "player_names", None)
    first.require(
        type(names) is tuple
        and len(names) == 2
        and all(isinstance(name, str) and name for name in names)
        and names[0][0] != names[1][0],
        "`player_names` are two names with different first letters, which stand in str(state).",
        _shown(names),
        'a tuple like ("Black", "White")',
    )


def _check_first(first: Position) -> None:
    player = first.read("current_player")
    first.require(player == 0, "Player 0 moves first.", _shown(player), "0")
    first.require(
        first.read("last_action") is None,
        "last_action is None before the first move.",
        _shown(first.state.last_action),
        "None",
    )
    first.require(
        not _check_is_terminal(first),
        "A game does not start at its end.",
        "is_terminal is True",
        "False",
    )
    _check_stones(first)
    last_square = first.state.board().last_square
    first.require(
        last_square is None,
        "board().last_square is None before the first move.",
        _shown(last_square),
        "None",
    )
    _check_num_actions(first, first.read("num_actions"))


def _check_notation(position: Position, actions: Iterable[int]) -> None:
    """Every action has a name of its own that leads back to it."""
    state = position.state
    names: dict[str, int] = {}
    for action in actions:
        name = position.ask("action_to_string()", state.action_to_string, action)
        position.require(
            isinstance(name, str) and len(name.split()) == 1 and name == name.strip(),
            "action_to_string() gives a word without blanks.",
            f"action_to_string({action}) = {name!r}",
            "a word like d3",
        )
        same = names.setdefault(name.lower(), action)
        position.require(
            same == action,
            "No two actions have the same name (upper and lower case are not told apart).",
            f"actions {same} and {action} are both called {name!r}",
            "a name for each",
        )
    for name, action in names.items():
        for text in (name, name.upper(), f" {name} "):
            found = position.ask("string_to_action()", state.string_to_action, text)
            position.require(
                found == action,
                "string_to_action() leads from an action's name back to the action.",
                f"string_to_action({text!r}) = {found!r}",
                str(action),
            )
    _check_raises(
        position,
        "string_to_action() of a text that is no action raises ValueError.",
        ValueError,
        state.string_to_action,
        "no such action",
    )


def _check_symmetries(first: Position) -> None:
    """They are permutations that fit each other and the board, and together a group."""
    board, num_actions = first.state.board(), first.state.num_actions
    num_squares = board.rows * board.cols
    symmetries = first.ask("symmetries()", first.state.symmetries)
    first.require(
        type(symmetries) is tuple and symmetries[:1] == (identity(num_squares, num_actions),),
        "symmetries() is a tuple that begins with the one that moves nothing.",
        _shown(symmetries),
        "a tuple of Symmetry, the identity first",
    )
    for symmetry in symmetries:
        _check_permutations(first, symmetry, num_squares)
    for one in symmetries:
        for other in symmetries:
            first.require(
                _after(one, other) in symmetries,
                "Any two symmetries, one after the other, make one of symmetries().",
                f"numbers {symmetries.index(one)} and {symmetries.index(other)} make another one",
                "all of them, such as the eight of a square board",
            )


def _check_permutations(first: Position, symmetry: Symmetry, num_squares: int) -> None:
    num_actions = first.state.num_actions
    first.require(
        sorted(symmetry.squares) == list(range(num_squares))
        and sorted(symmetry.actions) == list(range(num_actions)),
        "A symmetry has a place for each square and for each action.",
        _shown(symmetry),
        f"permutations of range({num_squares}) and of range({num_actions})",
    )
    square_of = first.state.action_square
    for action, moved in enumerate(symmetry.actions):
        square = square_of(action)
        if square is not None and square not in range(num_squares):
            continue  # a mistake of its own, which is named when the action is played
        first.require(
            square_of(moved) == (None if square is None else symmetry.squares[square]),
            "A symmetry moves an action as it moves the action's square.",
            f"action {action} becomes {moved}, on square {square_of(moved)}",
            f"the square to which {square} goes",
        )


def _after(first: Symmetry, second: Symmetry) -> Symmetry:
    """What the two symmetries do together, the first one first."""
    return Symmetry(
        tuple(second.squares[square] for square in first.squares),
        tuple(second.actions[action] for action in first.actions),
    )


# One game


def _check_game(
    first: Position, memory: Memory, max_plies: int, rng: np.random.Generator
) -> Position:
    """Play one random game, test its positions, and return the last one."""
    looks = [memory.meet(first)]
    positions = [first]
    while not looks[-1].is_terminal:
        here = positions[-1]
        here.require(
            len(here.actions) < max_plies,
            "Every game ends.",
            f"a game that goes on after {max_plies} plies",
            "a terminal state (or call check() with a larger max_plies)",
        )
        _check_board(here)
        _check_pass(here, looks[-1].legal_actions)
        _check_same_after_copy(here, looks[-1])
        _check_illegal_actions(here, looks[-1].legal_actions, rng)
        _check_unchanged(here, looks[-1], "after child() of an illegal action")
        tried = _some(looks[-1].legal_actions, rng)
        for action in tried:
            _check_child(here, looks[-1], action)
        _check_way_back(here, tried[0])
        _check_transpositions(here, tried, memory)
        positions.append(here.after(tried[0]))
        looks.append(memory.meet(positions[-1]))
    end = positions[-1]
    _check_board(end)
    _check_same_after_copy(end, looks[-1])
    _check_illegal_actions(end, (), rng)
    _check_moved_game(positions, looks)
    for position in (first, end):
        _check_pictures(position)
    for position, look in zip(positions, looks, strict=True):
        _check_unchanged(position, look, "after the game was played on from it")
    return end


def _check_moved_game(positions: Sequence[Position], looks: Sequence[Look]) -> None:
    """Turned or mirrored, a game goes on in the same way.

    This can be tried with the symmetries that leave the first position as it is.
    """
    for number, symmetry in enumerate(positions[0].state.symmetries()[1:], start=1):
        if _moved(looks[0], symmetry) != looks[0]:
            continue
        twin = positions[0]
        for position, look in zip(positions[1:], looks[1:], strict=True):
            twin = twin.after(symmetry.actions[position.actions[-1]])
            twin_look, expected = twin.look(), _moved(look, symmetry)
            twin.require(
                twin_look == expected,
                "A symmetry leaves the rules as they are.",
                f"after {_path(twin)} the {_difference(twin_look, expected)} are not those after "
                f"{_path(position)}, moved by symmetries()[{number}]",
                "the same game, turned or mirrored",
            )


def _moved(look: Look, symmetry: Symmetry) -> Look:
    """What a position would show if it were turned or mirrored."""
    stones = [EMPTY] * len(look.stones)
    for square, stone in zip(symmetry.squares, look.stones, strict=True):
        stones[square] = stone
    legal = sorted(symmetry.actions[action] for action in look.legal_actions)
    return look._replace(stones=tuple(stones), legal_actions=tuple(legal))


# One position


def _check_num_actions(position: Position, expected: int) -> None:
    came = position.read("num_actions")
    position.require(
        type(came) is int and came == expected and came > 0,
        "num_actions is an int above 0, the same in every position of a game.",
        _shown(came),
        f"{expected}, as in the first position",
    )


def _check_current_player(position: Position) -> int:
    player = position.read("current_player")
    position.require(
        type(player) is int and player in (0, 1),
        "current_player is the int 0 or 1, also at the end of a game.",
        _shown(player),
        "0 or 1",
    )
    return int(player)


def _check_is_terminal(position: Position) -> bool:
    terminal = position.read("is_terminal")
    position.require(
        type(terminal) is bool,
        "is_terminal is True or False.",
        _shown(terminal),
        "a bool, from a method marked @property",
    )
    return bool(terminal)


def _check_legal_actions(position: Position, terminal: bool) -> tuple[int, ...]:
    state = position.state
    legal = position.ask("legal_actions()", state.legal_actions)
    position.require(
        type(legal) is tuple and all(type(action) is int for action in legal),
        "legal_actions() is a tuple of ints of Python's own.",
        _shown(legal),
        "a tuple like (0, 3, 5)",
    )
    position.require(
        legal == tuple(sorted(set(legal))),
        "legal_actions() are in ascending order, each once.",
        str(legal),
        str(tuple(sorted(set(legal)))),
    )
    position.require(
        not legal or (legal[0] >= 0 and legal[-1] < state.num_actions),
        "Every action is in range(num_actions).",
        f"legal_actions() = {legal}",
        f"numbers from 0 to {state.num_actions - 1}",
    )
    position.require(
        (not legal) == terminal,
        "legal_actions() is empty exactly at terminal states.",
        f"legal_actions() = {legal} where is_terminal is {terminal}",
        "no actions at the end of a game, at least one (perhaps a pass) before it",
    )
    return tuple(legal)


def _check_returns(position: Position, terminal: bool) -> tuple[float, float] | None:
    state = position.state
    if not terminal:
        _check_raises(
            position,
            "returns() raises GameNotOverError while the game goes on.",
            GameNotOverError,
            state.returns,
        )
        return None
    returns = position.ask("returns()", state.returns)
    position.require(
        type(returns) is tuple and returns in list(OUTCOMES),
        "returns() is one number per player: 1 for a win, -1 for a loss, 0 for a draw.",
        _shown(returns),
        "(1, -1), (-1, 1) or (0, 0)",
    )
    return returns[0], returns[1]


def _check_pass(position: Position, legal: Sequence[int]) -> None:
    name = position.state.action_to_string
    passes = [action for action in legal if name(action).lower() == "pass"]
    position.require(
        not passes or len(legal) == 1,
        "A pass is legal only when it is forced.",
        f"legal_actions() = {legal}, of which {passes[:1]} is a pass",
        "the pass alone, or no pass",
    )


def _check_stones(position: Position) -> tuple[int, ...]:
    board = position.ask("board()", position.state.board)
    position.require(
        isinstance(board, Board) and type(board.stones) is tuple,
        "board() is a Board, its stones a tuple.",
        _shown(board),
        "a Board, its stones a tuple",
    )
    return tuple(board.stones)


def _check_board(position: Position) -> None:
    board = position.state.board()
    num_squares = board.rows * board.cols
    position.require(
        isinstance(board.style, BoardStyle),
        "board().style is one of BoardStyle.",
        _shown(board.style),
        ", ".join(str(style) for style in BoardStyle),
    )
    position.require(
        len(board.stones) == num_squares and all(stone in (EMPTY, 0, 1) for stone in board.stones),
        "board().stones holds EMPTY, 0 or 1 for each of the rows * cols squares.",
        f"{len(board.stones)} entries: {sorted(set(board.stones))}",
        f"{num_squares} entries out of -1, 0 and 1",
    )
    position.require(
        len(board.row_labels) == board.rows and len(board.column_labels) == board.cols,
        "board() has a label for every row and every column.",
        f"{len(board.row_labels)} row_labels and {len(board.column_labels)} column_labels",
        f"{board.rows} and {board.cols}",
    )
    position.require(
        all(0 <= square < num_squares for square in board.winning_squares),
        "board().winning_squares are squares of the board.",
        str(board.winning_squares),
        f"numbers from 0 to {num_squares - 1}",
    )
    bitboards = position.ask("bitboards()", position.state.bitboards)
    position.require(
        bitboards == board.bitboards(),
        "bitboards() holds the same stones and the same last move as board().",
        _shown(bitboards),
        f"{board.bitboards()}, as board().bitboards() makes it",
    )


def _check_same_after_copy(position: Position, look: Look) -> None:
    """A state survives the way to another process, and compares with anything."""
    state = position.state
    ways: dict[str, Callable[[State], State]] = {
        "pickle.loads(pickle.dumps(state))": lambda state: pickle.loads(pickle.dumps(state)),
        "copy.copy(state)": copy.copy,
        "copy.deepcopy(state)": copy.deepcopy,
    }
    for way, copied in ways.items():
        try:
            twin = copied(state)
        except Exception as error:
            raise ContractError(
                position,
                "A state can be copied and pickled.",
                f"{way} raised {_told(error)}",
                "a copy (a class inside a function and a lambda in a state can't be pickled)",
            ) from error
        position.require(
            twin == state and hash(twin) == hash(state) and twin.last_action == state.last_action,
            "A state can be copied and pickled.",
            f"{way} is not equal to state, or has another hash or last_action",
            "the same position",
        )
    _check_unchanged(Position(twin, position.actions), look, "after a copy")
    for stranger in (None, "state", 0):
        position.require(
            position.ask("==", operator.eq, state, stranger) is False,
            "A state is equal to no other kind of thing.",
            f"(state == {stranger!r}) is not False",
            "False (let __eq__ return NotImplemented for another type)",
        )


def _check_illegal_actions(
    position: Position, legal: Sequence[int], rng: np.random.Generator
) -> None:
    num_actions = position.state.num_actions
    illegal = sorted(set(range(num_actions)) - set(legal))
    for action in (*_some(illegal, rng), -1, num_actions, num_actions + 1_000):
        _check_raises(
            position,
            "child() of an illegal action raises IllegalActionError.",
            IllegalActionError,
            position.state.child,
            action,
        )


def _check_child(position: Position, look: Look, action: int) -> None:
    """What holds of any legal move."""
    child = position.after(action)
    _check_unchanged(position, look, f"after child({action})")
    _check_num_actions(child, position.state.num_actions)
    child.require(
        child.read("last_action") == action,
        "last_action is the action that led here.",
        _shown(child.state.last_action),
        str(action),
    )
    child.require(
        child.state.board().last_square == _check_square(position, action),
        "board().last_square is the square on which the last move put its stone: "
        "the one that action_square() gave before the move.",
        f"last_square = {child.state.board().last_square}",
        f"{position.state.action_square(action)}",
    )
    for number in (action, np.int64(action)):
        again = position.ask(f"child({number!r})", position.state.child, number)
        position.require(
            again == child.state and hash(again) == hash(child.state),
            "child() gives the same state every time, for an int of Python's and of NumPy's.",
            f"child({number!r}) is not equal to child({action})",
            "two equal states (int(action) makes an int of Python's out of NumPy's)",
        )


def _check_square(position: Position, action: int) -> int | None:
    """`action_square(action)`, after a look at whether a click there makes sense."""
    state = position.state
    board = state.board()
    squares = range(board.rows * board.cols)
    square: int | None = position.ask("action_square()", state.action_square, action)
    position.require(
        square is None or square in squares,
        "action_square() is a square of the board, or None.",
        f"action_square({action}) = {square!r}",
        f"a number from 0 to {squares[-1]}, or None",
    )
    if square is None:
        return None
    clicked = position.ask("square_action()", state.square_action, square)
    position.require(
        clicked is None
        or (clicked in range(state.num_actions) and state.action_square(clicked) == square),
        "square_action() is the action of a click on a square: one that plays there, or None.",
        f"square_action({square}) = {clicked!r}, but action_square({action}) = {square}",
        str(action),
    )
    return square


def _check_way_back(position: Position, action: int) -> None:
    """The name of `action` leads back to it (tried for all actions in the first position)."""
    name = position.ask("action_to_string()", position.state.action_to_string, action)
    found = position.ask("string_to_action()", position.state.string_to_action, name)
    position.require(
        found == action,
        "string_to_action() leads from an action's name back to the action.",
        f"string_to_action({name!r}) = {found!r}",
        str(action),
    )


def _check_transpositions(position: Position, tried: Sequence[int], memory: Memory) -> None:
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


def _check_unchanged(position: Position, look: Look, after: str) -> None:
    now = position.look()
    position.require(
        now == look,
        "A state never changes.",
        f"{after}, its {_difference(now, look)} had changed",
        "the same answers for ever: child() has to work on a copy",
    )


def _check_pictures(position: Position) -> None:
    state = position.state
    pictures = {"str": state.__str__, "repr": state.__repr__, "_repr_svg_": state._repr_svg_}
    for name, draw in pictures.items():
        text = position.ask(f"{name}()", draw)
        position.require(
            isinstance(text, str) and bool(text),
            f"{name}() draws the position.",
            _shown(text),
            "a text",
        )


def _check_raises(
    position: Position,
    promise: str,
    expected: type[Exception],
    function: Callable[..., object],
    *arguments: object,
) -> None:
    call = f"{function.__name__}({', '.join(map(repr, arguments))})"
    try:
        came = function(*arguments)
    except expected:
        return
    except Exception as error:
        came = f"{call} raised {_told(error)}"
        raise ContractError(position, promise, came, expected.__name__) from error
    raise ContractError(position, promise, f"{call} returned {_shown(came)}", expected.__name__)


# Words


def _some(actions: Sequence[int], rng: np.random.Generator) -> list[int]:
    """Up to SAMPLE_SIZE of `actions`, in random order."""
    order = rng.permutation(len(actions))[:SAMPLE_SIZE]
    return [actions[place] for place in order]


def _path(position: Position) -> str:
    return "first_state" + "".join(f".child({action})" for action in position.actions)


def _difference(first: Look, second: Look) -> str:
    parts = zip(Look._fields, first, second, strict=True)
    return " and ".join(name for name, one, other in parts if one != other)


def _shown(thing: object) -> str:
    """`thing` and its type, so that 1 and np.int64(1), () and [] can be told apart."""
    try:
        text = repr(thing)
    except Exception as error:
        text = f"something whose repr() raises {_told(error)}"
    return f"{text} ({type(thing).__name__})"


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _drawn(state: object) -> str:
    try:
        return str(state)
    except Exception:  # str() may be what is broken
        return ""
