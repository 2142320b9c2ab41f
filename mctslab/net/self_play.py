"""Self-play: a net plays many games at once, each move searched, and every game teaches it.

A net takes hardly longer for a hundred positions than for ten. So in every step each game's tree is
walked down once, the leaves of all the games go to the net together, and each tree counts its own.
No tree waits for itself: within a game one simulation follows the other, without virtual losses.

The trees are the compiled ones of `mctslab.fast`: phase 1 is its `gather`, phases 2 and 4 its
`apply`, and phase 3 is the net.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from mctslab.fast.batches import make_walks
from mctslab.fast.compiling import puct_engine
from mctslab.fast.nodes import ROOT
from mctslab.fast.tree import Tree
from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes, encode_batch
from mctslab.net.evaluator import flat_priors, in_batches
from mctslab.net.inference import Inference
from mctslab.net.targets import Samples, policy_target, samples_of
from mctslab.search.noise import DirichletNoise
from mctslab.search.selection import PUCT, puct

_FIRST_CAPACITY: Final = 4_096


@dataclass(frozen=True, slots=True)
class SelfPlayConfig:
    """How the games are played.

    Raises:
        ValueError: a number out of range.
    """

    num_simulations: int = 64
    """Visits that a position has when its move is chosen; those of the tree that is kept from the
    move before count."""
    selection: PUCT = field(default_factory=puct)
    noise: DirichletNoise | None = field(default_factory=lambda: DirichletNoise(alpha=0.3))
    """What is mixed into each root's priors, so that every move is tried now and then."""
    temperature_plies: int = 30
    """For so many plies a move is drawn in proportion to its visits; then the most visited is
    played."""
    opening_plies: int = 0
    """Up to so many plies, from none on, are drawn by lot before the net plays: so it also learns
    positions that it would not choose."""

    def __post_init__(self) -> None:
        for name, least in (("num_simulations", 2), ("temperature_plies", 0), ("opening_plies", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}={getattr(self, name)!r} is too few: {least} or more.")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game, and what the search thought on the way."""

    positions: Sequence[State]
    """All of them, the first and the terminal one included."""
    policies: Sequence[Floats]
    """pi, [A]: the shares of the visits, for all positions but the opening's and the last one."""

    def samples(self, inputs: InputPlanes) -> Samples:
        """What a net learns from it."""
        return samples_of(self.positions, self.policies, inputs)


@dataclass(slots=True)
class Shares:
    """Where the time went, in seconds."""

    trees: float = 0.0
    """Walking down, counting, choosing moves, and setting positions up."""
    net: float = 0.0
    """The net's answers alone."""


class SelfPlay:
    """Games in progress; as soon as one ends the next one takes its place.

    Args:
        first_state: the first position of a game that can be compiled.
        config: how to play.
        inputs: what the net sees.
        num_games: how many games at once; a batch for the net has up to so many positions.
        rng: draws openings, noise and moves.

    Raises:
        ValueError: no games.
        NotCompilableError: the rules of this game cannot be compiled.
    """

    def __init__(
        self,
        first_state: State,
        config: SelfPlayConfig,
        inputs: InputPlanes,
        *,
        num_games: int,
        rng: np.random.Generator,
    ) -> None:
        if num_games < 1:
            raise ValueError(f"num_games={num_games!r} is too few: one or more.")
        self.config = config
        self.shares = Shares()
        self.num_positions = 0
        """How many moves were chosen, in all games together."""
        self._first_state = first_state
        self._inputs = inputs
        self._rng = rng
        self._games = [self._new_game() for _ in range(num_games)]

    def play(self, inference: Inference, num_positions: int) -> list[PlayedGame]:
        """Let the net play until `num_positions` more moves are chosen; the games that ended.

        What the trees still know is forgotten first: another net may have found it. So the moves
        depend on nothing but the positions of the games, the net, and the source of chance.
        """
        for game in self._games:
            game.forget()
        finished = []
        until = self.num_positions + num_positions
        while self.num_positions < until:
            finished += self._step(inference)
        return finished

    def _step(self, inference: Inference) -> list[PlayedGame]:
        """One simulation in each game, and a move where there were enough; the games that ended."""
        began = time.perf_counter()
        waiting = [game for game in self._games if game.walk_to_leaf()]
        net_seconds = self._judge(waiting, inference) if waiting else 0.0
        finished = []
        for place, game in enumerate(self._games):
            game.count()
            if game.num_visits >= self.config.num_simulations:
                game.move()
                self.num_positions += 1
                if game.positions[-1].is_terminal:
                    finished.append(PlayedGame(game.positions, game.policies))
                    self._games[place] = self._new_game()
        self.shares.net += net_seconds
        self.shares.trees += time.perf_counter() - began - net_seconds
        return finished

    def _judge(self, waiting: list["_Game"], inference: Inference) -> float:
        """Phase 3: ask the net about the leaves of `waiting`; how long it took to answer."""
        histories = [game.leaf_history(self._inputs.history) for game in waiting]
        planes = encode_batch(histories, self._inputs)
        began = time.perf_counter()
        answer = in_batches(inference, planes)
        seconds = time.perf_counter() - began
        legal = [history[-1].legal_actions() for history in histories]
        priors, places = flat_priors(answer.policy_logits, legal)
        for i, (game, value) in enumerate(zip(waiting, answer.values.tolist(), strict=True)):
            game.take(value, priors[None, places[i] : places[i + 1]])
        return seconds

    def _new_game(self) -> "_Game":
        """A game after its opening; an opening that ends the game is drawn anew."""
        while True:
            positions = [self._first_state]
            for _ in range(int(self._rng.integers(self.config.opening_plies + 1))):
                legal = positions[-1].legal_actions()
                if legal:
                    positions.append(positions[-1].child(int(self._rng.choice(legal))))
            if not positions[-1].is_terminal:
                return _Game(positions, self.config, self._rng)


class _Game:
    """One game in progress: its positions, and the tree of the one that is being searched."""

    def __init__(
        self, positions: list[State], config: SelfPlayConfig, rng: np.random.Generator
    ) -> None:
        self.positions = positions
        self.policies: list[Floats] = []
        self._config = config
        self._rng = rng
        selection = config.selection
        fpu = 0.0 if selection.fpu == "parent" else float(selection.fpu)
        c_base = float(selection.c_base or 0.0)
        self._rule = (float(selection.c), c_base, fpu, selection.fpu == "parent")
        game = positions[-1].compilable()
        if game is None:
            raise ValueError(
                f"{positions[-1].title} has no rules to compile, which self-play needs."
            )
        self._engine = puct_engine(game)
        self._walks = make_walks(1, game)
        self._no_priors = np.zeros((1, 1))
        self.forget()

    def forget(self) -> None:
        """Search the position at hand from scratch."""
        state = self.positions[-1]
        game = state.compilable()
        assert game is not None
        self._start(Tree(state, game, self._engine, _FIRST_CAPACITY, is_guided=True))

    def _start(self, tree: Tree) -> None:
        self._tree = tree
        self._states = {ROOT: self.positions[-1]}
        self._has_noise = self._config.noise is None
        self._add_noise()

    @property
    def num_visits(self) -> int:
        """How often the root was visited."""
        return int(self._tree.nodes[ROOT]["visit_count"])

    def walk_to_leaf(self) -> bool:
        """Phase 1; whether the leaf has to be judged, which the end of a game has not."""
        tree, walks = self._tree, self._walks
        self._engine.gather(tree.nodes, tree.start, tree.words, self._rule, 1, walks)
        self._priors = self._no_priors
        return bool(walks.num_moves[0])

    def leaf_history(self, num_positions: int) -> Sequence[State]:
        """The positions that led to the leaf, it included; not more than `num_positions`."""
        path = self._walks.paths[0, : self._walks.depths[0] + 1].tolist()
        leaf = self._state_at(path)
        if num_positions == 1:
            return (leaf,)
        return [*self.positions[:-1], *[self._states[node] for node in path]][-num_positions:]

    def _state_at(self, path: list[int]) -> State:
        """The position at the end of a path; all on the path are remembered."""
        states = self._states
        known = len(path) - 1
        while path[known] not in states:
            known -= 1
        state = states[path[known]]
        for node in path[known + 1 :]:
            state = state.child(self._tree.action_of(node))
            states[node] = state
        return state

    def take(self, value: float, priors: npt.NDArray[np.float64]) -> None:
        """What the net says of the leaf: a value for the player to move, and priors [1, moves]."""
        leaf = self._states[int(self._walks.paths[0, self._walks.depths[0]])]
        mover = leaf.current_player
        self._walks.values[0, mover], self._walks.values[0, 1 - mover] = value, -value
        self._priors = priors

    def count(self) -> None:
        """Phases 2 and 4."""
        tree = self._tree
        tree.reserve(_room(tree.num_used + tree.state.num_actions, len(tree.nodes)))
        self._engine.apply(tree.nodes, tree.counters, 1, self._walks, self._priors)
        self._add_noise()

    def _add_noise(self) -> None:
        """Mix noise into the priors of the root's children, once, as soon as there are any."""
        noise, children = self._config.noise, self._tree.children_of(ROOT)
        if self._has_noise or noise is None or not children:
            return
        block = self._tree.nodes["prior"][children[0] : children[-1] + 1]
        block[:] = noise.mixed(block.tolist(), self._rng)
        self._has_noise = True

    def move(self) -> None:
        """Choose a move, note the policy, and go on with the part of the tree below it."""
        children = self._tree.children_of(ROOT)
        visits = self._tree.nodes["visit_count"][children[0] : children[-1] + 1].astype(float)
        actions = [self._tree.action_of(child) for child in children]
        shares = dict(zip(actions, visits.tolist(), strict=True))
        self.policies.append(policy_target(shares, self.positions[-1].num_actions))
        if len(self.positions) <= self._config.temperature_plies:
            chosen = int(self._rng.choice(len(visits), p=visits / visits.sum()))
        else:
            chosen = int(visits.argmax())
        self.positions.append(self.positions[-1].child(actions[chosen]))
        if not self.positions[-1].is_terminal:
            self._go_below(children[chosen])

    def _go_below(self, child: int) -> None:
        state = self.positions[-1]
        game = state.compilable()
        assert game is not None
        if self._tree.nodes[child]["num_children"]:
            self._start(self._tree.below(child, state, game))
        else:
            self._start(Tree(state, game, self._engine, _FIRST_CAPACITY, is_guided=True))


def _room(wanted: int, capacity: int) -> int:
    """How many records an array should have where `wanted` are wanted."""
    return capacity if wanted <= capacity else 2 * wanted
