"""A forest of searches by PUCT on flat arrays: one call of the evaluator for leaves of many trees.

A net takes hardly longer for a hundred positions than for ten. One search can hand it a few leaves
at once only, at the price of worse choices; a hundred games can hand it one each, at no price.
"""

import functools
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.recipes import can_draw, compilable, puct_engine
from mctslab.fast.compile.translate import NotCompilableError, read_by
from mctslab.fast.nodes import (
    MAX_DEPTH,
    PUCT_NODE,
    ROOT,
    Nodes,
    make_walks,
    numbers_of,
    rule_in_python,
)
from mctslab.fast.tree import Tree, plant
from mctslab.games.rules import PASS, Compilable
from mctslab.games.state import State, endless
from mctslab.search.forest import BY_PUCT, Counts, Forest, Priors, no_such_child
from mctslab.search.noise import DirichletNoise
from mctslab.search.roots import Roots
from mctslab.search.selection import PUCT, puct

_MOST_STATES: Final = 5_000
"""The number of positions that are remembered as states, from which others are made."""
_NO_PRIORS: Final = np.zeros((0, 0))
"""Instead of a row for each walk: all are equal."""


class CompiledForest(Forest):
    """The same trees as `Forest`, on flat arrays, of games whose rules can be compiled.

    Args:
        games: a game for each tree, its positions so far, the newest last; that one is the root,
            and not terminal. All are of one kind and on one board.
        num_simulations: for how many a tree has room. Beyond them, leaves are not expanded.
        selection: the constants of PUCT.
        solver: whether proven values are carried up the trees; see `mctslab.search.roots`.
        tree: the only tree, which can have grown before and has room of its own.

    Raises:
        NotCompilableError: the rules of this game cannot be compiled, or `selection` is a rule of
            your own.
        ValueError: there is no game.
    """

    def __init__(
        self,
        games: Sequence[Sequence[State]],
        *,
        num_simulations: int = MAX_DEPTH,
        selection: PUCT = puct(),
        solver: bool = False,
        tree: Tree | None = None,
    ) -> None:
        if reason := rule_in_python(selection):
            raise NotCompilableError(reason)
        super().__init__(games, selection=selection, solver=solver)
        if tree is None:
            roots = [compilable(state) for state in self.states]
            capacity = 1 + num_simulations * self.states[0].num_actions
            self._game = roots[0]
            self._engine = puct_engine(self._game, solver, selection.exploration)
            self._nodes, self._counters, *starts = plant(self.states, roots, capacity, PUCT_NODE)
        else:
            self._game, self._engine = tree.game, tree.engine
            self._counters = tree.counters[np.newaxis]
            starts = [tree.start[np.newaxis], tree.words[np.newaxis]]
            self.use(tree.nodes)
        self._starts, self._words = starts
        self._longest = num_simulations
        self._walks = make_walks(len(games), self._game, num_simulations)
        self._rule = numbers_of(selection)
        self._states = {(number, ROOT): state for number, state in enumerate(self.states)}
        rules, pass_action = self._game.rules, self._game.pass_action
        self._move_actions = _by_move(self._game, rules.action_of, pass_action)
        self.can_draw = can_draw(self._game)
        """Whether `draw_leaves` can be called."""

    def use(self, nodes: Nodes) -> None:
        """Go on in these records of the only tree, which has become longer."""
        self._nodes = nodes[np.newaxis]

    @cached_property
    def board_shape(self) -> tuple[int, int]:
        """Rows and columns."""
        board = self.states[0].board()
        return board.rows, board.cols

    @cached_property
    def _move_squares(self) -> npt.NDArray[np.int64]:
        """[moves]: the square of each; -1 for a pass."""
        return _by_move(self._game, self._game.rules.square_of, of_pass=-1)

    def gather(self, trees: Counts, first_actions: Counts, *, spare_won: bool = False) -> Counts:
        """Walk down to leaves; see `Forest.gather`."""
        self._trees, number = trees, len(trees)
        self._make_room(number)
        unknown = self._engine.gather(
            self._nodes, self._starts, self._words, self._rule, trees, first_actions,
            self._move_actions, spare_won, self._walks,
        )  # fmt: skip
        if unknown >= 0:
            raise no_such_child(int(trees[unknown]), int(first_actions[unknown]))
        is_first = self._walks.twin[:number] == np.arange(number)
        to_evaluate: Counts = np.flatnonzero((self._walks.num_moves[:number] > 0) & is_first)
        return to_evaluate

    def _make_room(self, number: int) -> None:
        """Have a row for each of `number` walks."""
        if number > len(self._walks.depths):
            self._walks = make_walks(number, self._game, self._longest)

    def run(
        self,
        chunk: int,
        limit: int,
        batch_size: int,
        num_rollouts: int,
        classes: npt.NDArray[np.uint64],
        random_state: npt.NDArray[np.uint64],
        *,
        may_grow: bool,
    ) -> int:
        """Search the only tree by compiled code alone; see `run` in `kernels/forest.py`."""
        self._make_room(batch_size)
        trees, by_puct = np.zeros(batch_size, np.int64), np.full(batch_size, BY_PUCT)
        done: int = self._engine.run(
            self._nodes, self._counters, self._starts, self._words, self._rule, trees, by_puct,
            self._move_actions, self._walks, _NO_PRIORS, classes, num_rollouts, random_state,
            chunk, limit, self.states[0].num_actions, may_grow,
        )  # fmt: skip
        return done

    def leaves(self, walks: Counts) -> list[State]:
        """The positions at the ends of some walks of the newest round."""
        return [self._state_on(int(self._trees[walk]), self._path(walk)) for walk in walks]

    def positions_on(self, walk: int) -> list[State]:
        """The game of a tree up to the leaf of a walk of the newest round."""
        tree, path = int(self._trees[walk]), self._path(walk)
        below = [self._state_on(tree, path[: ply + 1]) for ply in range(1, len(path))]
        return [*self._games[tree], *below]

    def _path(self, walk: int) -> list[int]:
        """The nodes from the root to a walk's leaf."""
        path: list[int] = self._walks.paths[walk, : self._walks.depths[walk] + 1].tolist()
        return path

    def _state_on(self, tree: int, path: list[int]) -> State:
        """The position at the end of a path, played from the nearest remembered one above it."""
        place = len(path) - 1
        while (tree, path[place]) not in self._states:
            place -= 1
        state = self._states[tree, path[place]]
        for node in path[place + 1 :]:
            state = state.child(int(self._move_actions[self._nodes[tree, node]["move"]]))
        if len(self._states) < _MOST_STATES:
            self._states[tree, path[-1]] = state
        return state

    def draw_leaves(self, walks: Counts, planes: npt.NDArray[np.float32]) -> None:
        """Draw the stones at leaves, as ones into planes of zeros.

        Args:
            walks: some of those that `gather` returned.
            planes: [walks, 2 or more, squares]: the first is for the stones of the player to move
                at the leaf, the second for those of the other player.
        """
        self._engine.draw_leaves(self._walks, walks, self._move_squares, planes)

    def last_squares(self, walks: Counts) -> Counts:
        """[walks]: the square of the last move at each leaf; -1 for none, as after a pass."""
        trees, leaves = self._trees[walks], self._walks.paths[walks, self._walks.depths[walks]]
        moved: Counts = self._move_squares[self._nodes["move"][trees, leaves]]
        for row in np.flatnonzero(leaves == ROOT).tolist():
            moved[row] = self.states[trees[row]].bitboards().last.bit_length() - 1
        return moved

    def movers(self, walks: Counts) -> Counts:
        """[walks]: who is to move at each leaf, 0 or 1."""
        movers: Counts = self._walks.positions[walks, -1].astype(np.int64)
        return movers

    def play_out(
        self,
        walks: Counts,
        num_rollouts: int,
        classes: npt.NDArray[np.uint64],
        random_state: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.float64]:
        """[walks, 2]: the values of leaves by rollouts, which draw from `random_state`."""
        have_ended = self._engine.play_out(
            len(self._trees), self._walks, classes, num_rollouts, random_state
        )
        if not have_ended:
            raise endless(self.states[0])
        return self._walks.values[walks]

    def add(
        self,
        walks: Counts,
        values: Sequence[tuple[float, float]] | npt.NDArray[np.float64],
        priors: Priors | None,
    ) -> None:
        """Give the leaves of `walks` children, and carry all values up; see `Forest.add`."""
        rows = _NO_PRIORS
        if priors:
            rows = np.zeros((len(self._trees), max(map(len, priors))))
            for walk, row in zip(walks, priors, strict=True):
                rows[walk, : len(row)] = row
        self._walks.values[walks] = np.reshape(values, (len(walks), 2))
        self._engine.add(self._nodes, self._counters, self._trees, self._walks, rows)

    def add_by_net(
        self,
        walks: Counts,
        values: npt.NDArray[np.floating],
        policy_logits: npt.NDArray[np.floating],
    ) -> None:
        """`add` for the outputs of a net; see `Forest.add_by_net`."""
        for_first = np.where(self.movers(walks) == 0, values, np.negative(values))
        self._walks.values[walks, 0], self._walks.values[walks, 1] = for_first, -for_first
        priors = np.empty((len(self._trees), self.states[0].num_actions))
        logits = policy_logits.astype(np.float64)
        self._engine.find_priors(logits, walks, self._walks, self._move_actions, priors)
        self._engine.add(self._nodes, self._counters, self._trees, self._walks, priors)

    def mix_noise(self, tree: int, noise: DirichletNoise, rng: np.random.Generator) -> None:
        """Mix noise into the priors of a root, which must have been evaluated."""
        priors = root_priors(self._nodes[tree])
        priors[:] = noise.mixed(priors.tolist(), rng)

    def _read_roots(self, roots: Roots) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        self._engine.read_roots(
            self._nodes, self._move_actions, roots.visit_counts, roots.total_values, roots.priors,
            roots.proven,
        )  # fmt: skip
        root = self._nodes[:, ROOT]
        return root["visit_count"], root["total_value"]


def root_priors(nodes: Nodes) -> npt.NDArray[np.float64]:
    """The priors of the moves at the root of a tree, in its records."""
    first, number = nodes[ROOT]["first_child"], nodes[ROOT]["num_children"]
    priors: npt.NDArray[np.float64] = nodes["prior"][first : first + number]
    return priors


def _by_move(
    game: Compilable, convert: Callable[..., int] | None, of_pass: int
) -> npt.NDArray[np.int64]:
    """[moves]: what `convert` makes of each move; the same number where there is no such rule."""
    reads = () if convert is None else read_by(game, convert)
    return _table_of(convert, game.geometry, of_pass, reads)


@functools.lru_cache(maxsize=32)
def _table_of(
    convert: Callable[..., int] | None,
    geometry: Any,
    of_pass: int,
    reads: tuple[Hashable, ...],  # only a key: it differs if the rules were redefined
) -> npt.NDArray[np.int64]:
    numbers = np.arange(PASS + 1)
    if convert is not None:
        numbers[:] = [convert(move, geometry) for move in range(PASS + 1)]
    numbers[PASS] = of_pass
    return numbers
