"""The kernels of each compiled search, and the first call that compiles it."""

import functools
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

import numpy as np

from mctslab.fast import nodes as layout
from mctslab.fast.compile.module_builder import compiled_module
from mctslab.fast.compile.translate import NotCompilableError, formula_text, read_by, rules_text
from mctslab.fast.nodes import make_walks, node_record, num_kept_words
from mctslab.games.rules import MOST_ACTIONS, Compilable, check_end
from mctslab.games.state import State
from mctslab.search.selection import Exploration, puct_exploration, ucb1_exploration

_FOLDER: Final = Path(layout.__file__).parent / "kernels"


def engine(
    game: Compilable, solver: bool = False, exploration: Exploration = ucb1_exploration
) -> ModuleType:
    """The compiled search for `game`, ready to be called; its entry point is `search`.

    With `solver` it is MCTS-Solver, in a separate module, so that plain searches do not become
    slower. `exploration` is the formula of the selection rule.

    Raises:
        NotCompilableError: the rules of this game, or the formula, cannot be compiled.
    """
    return _compiled(game, _UCT, solver, exploration)


def puct_engine(
    game: Compilable, solver: bool = False, exploration: Exploration = puct_exploration
) -> ModuleType:
    """The compiled search by PUCT for `game`; otherwise as `engine`."""
    return _compiled(game, _PUCT, solver, exploration)


def can_draw(game: Compilable) -> bool:
    """Whether the rules of `game` say which stones are on a board."""
    return game.rules.stone_on is not None or not (game.num_move_words or len(game.position) != 3)


class _Recipe(NamedTuple):
    """A kernel, its functions that Python calls, and their first call."""

    name: str
    kernel: str
    entry_points: tuple[str, ...]
    warm_up: Callable[..., None]


def _compiled(
    game: Compilable, recipe: _Recipe, solver: bool, exploration: Exploration
) -> ModuleType:
    for number in (*game.position, *game.words):
        if not 0 <= number < 1 << 64:
            raise NotCompilableError("the board has more squares than fit into 64 bits")
    first = _First(game)
    game = game._replace(position=(0,) * len(game.position), words=(0,) * len(game.words))
    reads = read_by(game, exploration)
    try:
        hash((game, reads))
    except TypeError as error:
        raise NotCompilableError(f"its geometry or formula can be changed ({error})") from error
    found = _engine_or_reason(game, reads, recipe, solver, exploration, first)
    if isinstance(found, str):
        raise NotCompilableError(found)
    return found


@dataclass(frozen=True)
class _First:
    """The position of the first search; all are equal, so that a cache does not tell them apart."""

    game: Compilable = field(compare=False)


@functools.cache
def _engine_or_reason(
    game: Compilable,
    reads: tuple[Hashable, ...],  # only a key: everything that the rules read
    recipe: _Recipe,
    solver: bool,
    exploration: Exploration,
    first: _First,
) -> ModuleType | str:
    """The engine, or the reason why there is none, until one of the functions is redefined.

    Raises:
        EndlessRulesError: one of the functions does not return.
    """
    check_end(first.game)
    try:
        return compiled_module(
            recipe.name,
            game_text(game, exploration),
            _FOLDER / f"{recipe.kernel}.py",
            constants(game, solver, exploration),
            entry_points=recipe.entry_points,
            warm_up=functools.partial(recipe.warm_up, game=game),
        )
    except NotCompilableError as error:
        return str(error)


def compilable(state: State) -> Compilable:
    """The rules of the game of `state`.

    Raises:
        NotCompilableError: it has none, or too many actions.
    """
    game = state.compilable()
    if game is None:
        raise NotCompilableError(f"{state.title} has no rules to compile")
    if state.num_actions > MOST_ACTIONS:
        raise NotCompilableError(
            f"{state.title} has {state.num_actions:,} actions, and at most {MOST_ACTIONS:,} can be "
            "compiled"
        )
    return game


def constants(
    game: Compilable, solver: bool = False, exploration: Exploration = ucb1_exploration
) -> dict[str, int]:
    """The numbers that the kernels import from `kernels/game.py`."""
    return {
        "NUM_MOVE_WORDS": game.num_move_words,
        "NUM_KEPT_WORDS": num_kept_words(game),
        "SOLVER": solver,
        "IS_UCB1": exploration is ucb1_exploration,
    }


def game_text(
    game: Compilable, exploration: Exploration = puct_exploration, *, has_vectors: bool = True
) -> str:
    """The rules, the functions that turn an array into a position, a tuple, and back, and the
    formula of the selection rule."""
    numbers = range(len(game.position))
    words = ", ".join(f"start[{index}]" for index in numbers)
    writes = "".join(f"    row[{index}] = position[{index}]\n" for index in numbers)
    load = f"\n\n@njit\ndef load(start):\n    return ({words},)\n"
    rules = rules_text(game, has_vectors=has_vectors)
    store = f"\n\n@njit\ndef store(position, row):\n{writes}"
    return f"{rules}{load}{store}\n\n{formula_text(exploration, 'exploration')}"


# The first calls, which compile the entry points for the types that they will receive


def _call_once(module: ModuleType, game: Compilable) -> None:
    words, no_words = np.zeros(len(game.position), np.uint64), np.zeros(0, np.uint64)
    nodes = np.zeros(1, node_record(num_kept_words(game)))
    module.search(
        nodes, np.zeros(layout.NUM_COUNTERS, np.int64), words, no_words, np.zeros(4, np.uint64),
        0, 1.0, np.zeros(1), np.zeros(1), np.zeros(1, np.int64), no_words, 1, False,
    )  # fmt: skip


def _call_puct_once(module: ModuleType, game: Compilable) -> None:
    nodes = np.zeros((1, 2), layout.PUCT_NODE)
    counters = np.zeros((1, layout.NUM_COUNTERS), np.int64)
    starts = np.zeros((1, len(game.position)), np.uint64)
    words = np.zeros((1, len(game.words)), np.uint64)
    walks, none, priors = make_walks(1, game), np.zeros(0, np.int64), np.zeros((0, 0))
    trees = nodes, starts, words, (1.0, 0.0, False), none, none, none
    no_classes, random_state = np.zeros(0, np.uint64), np.zeros(4, np.uint64)
    rollouts = no_classes, 1, random_state
    module.gather(*trees, False, walks)
    module.play_out(0, walks, *rollouts)
    module.find_priors(np.zeros((0, 1)), none, walks, none, np.zeros((1, 1)))
    module.add(nodes, counters, none, walks, priors)
    module.run(nodes, counters, *trees[1:], walks, priors, *rollouts, 0, 0, 1, False)
    module.read_roots(nodes, none, np.zeros((1, 1), np.int64), *np.zeros((3, 1, 1)))
    if can_draw(game):
        module.draw_leaves(walks, none, none, np.zeros((0, 4, 1), np.float32))


_UCT: Final = _Recipe("search", "uct", ("search",), _call_once)
_PUCT: Final = _Recipe(
    "puct",
    "forest",
    ("run", "play_out", "gather", "find_priors", "add", "read_roots", "draw_leaves"),
    _call_puct_once,
)
