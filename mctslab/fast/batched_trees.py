"""Many searches by PUCT at once, for self-play: one call of the evaluator for leaves of them all.

A net takes hardly longer for a hundred positions than for ten. One search can hand it a few leaves
at once only, at the price of worse choices; a hundred games can hand it one each, at no price.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.recipes import batched_engine
from mctslab.fast.compile.translate import NotCompilableError
from mctslab.fast.nodes import (
    NOBODY,
    NUM_COUNTERS,
    PUCT_NODE,
    ROOT,
    UNKNOWN,
    UNUSED,
    USED,
    make_walks,
    numbers_of,
)
from mctslab.games.rules import PASS, Compilable
from mctslab.games.state import State
from mctslab.search.puct_search import DirichletNoise
from mctslab.search.readable_trees import BY_PUCT, Roots
from mctslab.search.result import ChildStatistics
from mctslab.search.selection import PUCT, puct

_MOVES: Final = PASS + 1


class BatchedTrees:
    """The trees of several games of the same kind, each searched from a position of its own.

    A round of all of them is `gather`, then an evaluation of the leaves, then `apply`.

    Args:
        games: a game for each tree, its positions so far, the newest last; that one is the root,
            and not terminal. All are of one kind and on one board.
        capacity: how many nodes a tree may have. Leaves without room are not expanded.
        selection: the constants of PUCT.
        history: how many positions `draw_leaves` shows, the leaf's and those before it.

    Raises:
        NotCompilableError: the rules of this game cannot be compiled.
        ValueError: there is no game, or `capacity` is too small for the moves of a position.
    """

    def __init__(
        self,
        games: Sequence[Sequence[State]],
        *,
        capacity: int,
        selection: PUCT = puct(),
        history: int = 1,
    ) -> None:
        if not games:
            raise ValueError("BatchedTrees needs a game for each of its trees, got none.")
        self.states: list[State] = [positions[-1] for positions in games]
        """The position at the root of each tree."""
        first = self.states[0]
        if capacity <= first.num_actions:
            raise ValueError(
                f"capacity={capacity!r} is too few: {first.title} takes "
                f"{first.num_actions + 1} nodes or more."
            )
        game, board = _compilable(first), first.board()
        number = len(games)
        self._engine = batched_engine(game)
        self._nodes = np.zeros((number, capacity), PUCT_NODE)
        self._spare = np.zeros(capacity, PUCT_NODE)
        self._counters = np.zeros((number, NUM_COUNTERS), np.int64)
        self._starts = np.zeros((number, len(game.position)), np.uint64)
        self._words = np.zeros((number, len(game.words)), np.uint64)
        self._walks = make_walks(number, game)
        self._by_puct = np.full(number, NOBODY, np.int64)
        self._move_actions = _by_move(game, game.rules.action_of, game.pass_action)
        self._move_squares = _by_move(game, game.rules.square_of, NOBODY)
        self._last_squares = np.full(number, NOBODY, np.int64)
        self.board_shape = board.rows, board.cols
        self.history = history
        self._past = np.zeros((number, history - 1, 2, board.rows * board.cols), np.float32)
        self._rule = numbers_of(selection)
        for tree, positions in enumerate(games):
            self.start_over(tree, positions)

    def start_over(self, tree: int, positions: Sequence[State]) -> None:
        """Forget a tree, and begin a new one at the last of a game's `positions`."""
        self._plant(tree, positions[-1])
        self._past[tree] = 0.0
        for ply, earlier in enumerate(reversed(positions[-self.history : -1])):
            self._past[tree, ply] = self._stones(earlier)

    def _plant(self, tree: int, state: State) -> None:
        """Begin a tree with nothing but a root, at `state`."""
        self._stand_at(tree, state)
        self._counters[tree] = 0
        self._counters[tree, USED], self._counters[tree, UNUSED] = 1, NOBODY
        root = self._nodes[tree, ROOT]
        root["visit_count"] = root["num_children"] = 0
        root["total_value"] = 0.0
        root["first_child"] = NOBODY
        root["num_untried"] = UNKNOWN
        root["mover"] = state.current_player

    def go_on(self, tree: int, action: int, *, reuse: bool = True) -> None:
        """Play `action` in the position of a tree; the subtree of the new position is kept.

        Raises:
            IllegalActionError: `action` is not legal there.
        """
        before = self.states[tree]
        state = before.child(action)
        child = self._child(tree, action) if reuse else None
        if child is None or self._nodes[tree, child]["visit_count"] == 0 or state.is_terminal:
            self._plant(tree, state)
        else:
            self._engine.keep_subtree(
                self._nodes[tree], self._counters[tree], child, state.current_player, self._spare
            )
            self._stand_at(tree, state)
        if self.history > 1:
            self._past[tree, 1:] = self._past[tree, :-1].copy()
            self._past[tree, 0] = self._stones(before)

    def _stand_at(self, tree: int, state: State) -> None:
        """Put `state` at the root of a tree."""
        game = _compilable(state)
        self._starts[tree], self._words[tree] = game.position, game.words
        last = state.bitboards().last
        self._last_squares[tree] = last.bit_length() - 1 if last else NOBODY
        self.states[tree] = state

    def _stones(self, state: State) -> npt.NDArray[np.float32]:
        """[2, squares]: ones where player 0 and player 1 have their stones."""
        boards, squares = state.bitboards(), range(self._past.shape[-1])
        return np.array(
            [[stones >> square & 1 for square in squares] for stones in boards[:2]], np.float32
        )

    def gather(
        self, first_actions: Sequence[int] | npt.NDArray[np.int64] | None = None
    ) -> list[int]:
        """Walk down to a leaf in each tree; returns the trees whose leaves have to be evaluated.

        A walk to the end of a game needs no evaluation.

        Args:
            first_actions: the action that the walk of each tree takes at its root; -1, or None for
                all trees, leaves it to PUCT, as below the root.

        Raises:
            ValueError: a root that has no such child (as none has before it was evaluated).
        """
        first_steps = self._by_puct if first_actions is None else self._first_steps(first_actions)
        self._engine.gather_all(
            self._nodes, self._starts, self._words, self._rule, first_steps, self._walks
        )
        return np.flatnonzero(self._walks.num_moves > 0).tolist()

    def draw_leaves(self, trees: Sequence[int], planes: npt.NDArray[np.float32]) -> None:
        """Draw the stones at leaves and on the way there, as ones into planes of zeros.

        Args:
            trees: some of those that `gather` returned.
            planes: [trees, 2 * history, squares]: for each of the last positions, the leaf's first,
                the stones of the player to move at the leaf, and then the other player's. What was
                before the first position that is known stays as it is.
        """
        self._engine.draw_leaves(
            self._nodes, self._starts, self._words, self._past, self._walks,
            np.array(trees, np.int64), self._move_squares, planes,
        )  # fmt: skip

    def last_squares(self, trees: Sequence[int]) -> npt.NDArray[np.int64]:
        """[trees]: the square of the last move at each leaf; -1 for none, as after a pass."""
        leaves = self._walks.paths[trees, self._walks.depths[trees]]
        moved: npt.NDArray[np.int64] = self._move_squares[self._nodes["move"][trees, leaves]]
        return np.where(leaves == ROOT, self._last_squares[trees], moved)

    def movers(self, trees: Sequence[int]) -> npt.NDArray[np.int64]:
        """[trees]: who is to move at each leaf, 0 or 1."""
        return self._walks.positions[trees, -1].astype(np.int64)

    def states_on(self, tree: int) -> list[State]:
        """The positions that the walk in a tree has passed, from its root to the leaf."""
        states = [self.states[tree]]
        for node in self._walks.paths[tree, 1 : self._walks.depths[tree] + 1].tolist():
            action = self._move_actions[self._nodes[tree, node]["move"]]
            states.append(states[-1].child(int(action)))
        return states

    def apply(
        self,
        trees: Sequence[int],
        values: npt.NDArray[np.floating],
        policy_logits: npt.NDArray[np.floating],
    ) -> None:
        """Count the values of the leaves from `gather`, and give them children.

        Args:
            trees: what `gather` returned.
            values: [trees], each in [-1, 1], for the player to move at the leaf.
            policy_logits: [trees, actions]: how promising each action is; of the legal ones the
                softmax is taken.
        """
        for_first = np.where(self.movers(trees) == 0, values, np.negative(values))
        self._walks.values[trees, 0], self._walks.values[trees, 1] = for_first, -for_first
        policy = np.zeros((len(self.states), policy_logits.shape[1]))
        policy[trees] = policy_logits
        self._engine.apply_all(self._nodes, self._counters, self._walks, policy, self._move_actions)

    def apply_ends(self) -> None:
        """Count a round without leaves to evaluate: all walks ended with the game."""
        self.apply([], np.zeros(0), np.zeros((0, self.states[0].num_actions)))

    def mix_noise(self, tree: int, noise: DirichletNoise, rng: np.random.Generator) -> None:
        """Mix noise into the priors of a root, whose children there must be.

        Do it once for every move; when the game goes on, the priors of the new root are clean.
        """
        first, end = self._children(tree)
        priors = self._nodes["prior"][tree, first:end]
        priors[:] = noise.mixed(priors.tolist(), rng)

    def children(self, tree: int) -> tuple[ChildStatistics, ...]:
        """The statistics of the moves at a root, in the order of the actions."""
        first, end = self._children(tree)
        records = self._nodes[tree, first:end]
        actions = self._move_actions[records["move"]]
        return tuple(
            ChildStatistics(
                int(action),
                int(record["visit_count"]),
                float(record["total_value"]) / max(1, int(record["visit_count"])),
                float(record["prior"]),
            )
            for action, record in sorted(
                zip(actions.tolist(), records, strict=True), key=lambda pair: pair[0]
            )
        )

    def visit_counts(self, tree: int) -> npt.NDArray[np.int64]:
        """[actions]: the visits of every action at a root; 0 for what is not legal."""
        first, end = self._children(tree)
        counts = np.zeros(self.states[tree].num_actions, np.int64)
        records = self._nodes[tree, first:end]
        counts[self._move_actions[records["move"]]] = records["visit_count"]
        return counts

    def roots(self) -> Roots:
        """The statistics of the moves at all roots."""
        shape = len(self.states), self.states[0].num_actions
        visit_counts, (total_values, priors) = np.zeros(shape, np.int64), np.zeros((2, *shape))
        self._engine.read_roots(self._nodes, self._move_actions, visit_counts, total_values, priors)
        # All simulations but those that ended at the root itself went on to one of its children.
        root = self._nodes[:, ROOT]
        own_visits = root["visit_count"] - visit_counts.sum(axis=1)
        own_total = root["total_value"] - total_values.sum(axis=1)
        return Roots(visit_counts, total_values, priors, own_total / np.maximum(1, own_visits))

    @property
    def num_visits(self) -> npt.NDArray[np.int64]:
        """[trees]: how often each root was visited."""
        return self._nodes["visit_count"][:, ROOT].astype(np.int64)

    def has_children(self, tree: int) -> bool:
        """Whether the root was judged already, and has its priors."""
        return bool(self._nodes[tree, ROOT]["num_children"])

    def _children(self, tree: int) -> tuple[int, int]:
        root = self._nodes[tree, ROOT]
        return int(root["first_child"]), int(root["first_child"]) + int(root["num_children"])

    def _first_steps(
        self, first_actions: Sequence[int] | npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """[trees]: the child that each action leads to; NOBODY where PUCT decides."""
        actions, steps = np.asarray(first_actions, np.int64), self._by_puct.copy()
        self._engine.find_first_steps(self._nodes, actions, self._move_actions, steps)
        unknown = np.flatnonzero((actions != BY_PUCT) & (steps == NOBODY))
        if len(unknown):
            tree = int(unknown[0])
            raise ValueError(
                f"first_actions[{tree}]={actions[tree]} leads to no child of that root: it was not "
                f"judged yet, or the action is not legal there. {BY_PUCT} leaves it to PUCT."
            )
        return steps

    def _child(self, tree: int, action: int) -> int | None:
        first, end = self._children(tree)
        places = np.flatnonzero(self._move_actions[self._nodes["move"][tree, first:end]] == action)
        return first + int(places[0]) if len(places) else None


def _compilable(state: State) -> Compilable:
    game = state.compilable()
    if game is None:
        raise NotCompilableError(f"{state.title} has no rules to compile")
    return game


def _by_move(
    game: Compilable, convert: Callable[..., int] | None, of_pass: int
) -> npt.NDArray[np.int64]:
    """[moves]: what `convert` makes of each move; the same number where there is no such rule."""
    numbers = np.arange(_MOVES)
    if convert is not None:
        numbers[:] = [convert(move, game.geometry) for move in range(_MOVES)]
    numbers[PASS] = of_pass
    return numbers
