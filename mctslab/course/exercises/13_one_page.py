"""Notebook 13, the page: searches side by side, their noise, games side by side, and the loop.

What a function is made of is passed to it, so that each of them can be checked with small stand-ins
for the net, and is the same function with the real one.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab import games, search
from mctslab.course.checking.cases import Case, Shares, Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.positions import after
from mctslab.course.tree_game import (
    SPARSE,
    Place,
    drawn,
    game_of,
    outlined,
    place_at_random,
    priors_in,
    statistics,
    turn_of,
    won_by,
)
from mctslab.course.valued_games import Judge
from mctslab.games.state import State
from mctslab.search import backpropagate, select
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule

Model: TypeAlias = Any
Values: TypeAlias = Sequence[tuple[float, float]]
Priors: TypeAlias = Sequence[Sequence[float]]
Evaluate: TypeAlias = Callable[[Sequence[State]], tuple[Values, Priors]]

# simulate_all


def _simulate_variation(rng: np.random.Generator) -> Case:
    """New trees, and what is in them after some simulations."""
    places = [place_at_random(rng, 4) for _ in range(rng.integers(1, 4))]
    places = [turn_of(0, each) if each.returns is not None else each for each in places]
    number = int(rng.integers(1, 9))

    def seen(
        function: Callable[..., Any], roots: list[Node], rule: SelectionRule, judge: Judge
    ) -> dict[str, object]:
        for _ in range(number):
            function(roots, rule, judge)
        facts: dict[str, object] = {"batches": judge.batches}
        for at, root in enumerate(roots, start=1):
            of_tree = {**statistics(root), **priors_in(root)}
            facts |= {f"tree {at}: {fact}": value for fact, value in of_tree.items()}
        return facts

    times = "" if number == 1 else f", {number} times in a row"
    shown = f"simulate_all(roots, search.puct(1.25), evaluate){times}, with a new root for "
    shown += "and one for ".join(f"\n{outlined(place)}\n" for place in places)
    return Case(
        lambda: ([Node(game_of(place)) for place in places], search.puct(1.25), Judge()),
        shown=shown,
        use=seen,
        changes_arguments=True,
    )


@exercise(variation=_simulate_variation)
def simulate_all(roots: Sequence[Node], rule: SelectionRule, evaluate: Evaluate) -> None:
    """One simulation in each tree; the leaves of all trees are evaluated in one batch.

    `evaluate(states)` returns two lists: for each position its values for players 0 and 1, and the
    priors of its legal actions. It is called with unfinished positions only, with at least one. A
    finished game counts with its own returns.
    """
    leaves = [select(root, rule) for root in roots]
    unfinished = [leaf for leaf in leaves if not leaf.state.is_terminal]
    if unfinished:
        values, priors = evaluate([leaf.state for leaf in unfinished])
        for leaf, value, shares in zip(unfinished, values, priors, strict=True):
            for action, prior in zip(leaf.state.legal_actions(), shares, strict=True):
                leaf.children.append(search.Node(parent=leaf, action=action, prior=prior))
            leaf.untried_actions.clear()
            backpropagate(leaf, value)
    for leaf in leaves:
        if leaf.state.is_terminal:
            backpropagate(leaf, leaf.state.returns())


# think

Noise: TypeAlias = MutableMapping[Node, Sequence[float]]
Simulate: TypeAlias = Callable[[Sequence[Node], Noise], None]


_MANY: Final = 100
"""Trees, over which the strength of the noise can be measured."""
_DEVIATION: Final = 0.25 * (1 / 9 * 8 / 9 / 10) ** 0.5
"""That of a Dirichlet distribution of nine numbers with alpha 1, of which a quarter is mixed in."""


@dataclass
class _Simulations:
    """Grows trees without a net, and notes what it was given."""

    trees: list[int] = field(default_factory=list)
    noisy: list[int] = field(default_factory=list)
    drawn: set[tuple[float, ...]] = field(default_factory=set)
    roots: dict[Node, None] = field(default_factory=dict)
    is_mixed: bool = True

    def __call__(self, roots: Sequence[Node], noise: Noise) -> None:
        self.trees.append(len(roots))
        self.noisy.append(sum(root in noise for root in roots))
        for root in roots:
            if root.parent is not None or not isinstance(root.state, State):
                raise ValueError("simulate needs the roots of trees")
            self.roots[root] = None
            if not root.children:
                self._expand(root)
            elif root in noise:
                self._note(root, noise[root])
            chosen = root.children[root.visit_count % 3 % len(root.children)]
            chosen.visit_count += root.visit_count > 0
            root.visit_count += 1

    def _expand(self, root: Node) -> None:
        actions = root.state.legal_actions()
        for action in actions:
            root.children.append(Node(parent=root, action=action, prior=1 / len(actions)))
        root.untried_actions.clear()

    def _note(self, root: Node, priors: Sequence[float]) -> None:
        numbers = tuple(float(prior) for prior in priors)
        self.drawn.add(numbers)
        least = 0.75 / len(root.children) - 1e-9
        is_sum = abs(sum(numbers) - 1) < 1e-6
        is_here = len(numbers) == len(root.children)
        self.is_mixed &= is_here and is_sum and min(numbers, default=0.0) >= least

    def noise_seen(self) -> object:
        """Whether the noise is as strong as it should be, which only many trees show."""
        if len(self.drawn) < _MANY:
            return Words("a few")
        deviation = float(np.std([number for noise in self.drawn for number in noise]))
        is_usual = abs(deviation - _DEVIATION) < _DEVIATION / 8
        return Words(f"with a standard deviation of {_DEVIATION if is_usual else deviation:.3f}")

    def is_clean(self) -> bool:
        """Whether all trees have the priors with which they were expanded."""
        return all(
            abs(child.prior * len(root.children) - 1) < 1e-8
            for root in self.roots
            for child in root.children
        )


def _think_case(moves: Sequence[str], num_simulations: int, noisy: bool) -> Case:
    def arguments() -> tuple[Any, ...]:
        states = [after(games.TicTacToe(), each) for each in moves]
        rng = np.random.default_rng(13) if noisy else None
        return states, _Simulations(), num_simulations, rng

    def seen(
        function: Callable[..., Any], states: Any, simulations: _Simulations, *others: Any
    ) -> object:
        return {
            "visits": function(states, simulations, *others),
            "trees in each simulation": simulations.trees,
            "trees with noise in each simulation": simulations.noisy,
            "new trees": len(simulations.roots),
            "different noises": len(simulations.drawn),
            "noisy priors": simulations.noise_seen(),
            "noise is a quarter of the priors": simulations.is_mixed,
            "the trees keep their own priors": simulations.is_clean(),
        }

    shown = f"think(states, simulate, {num_simulations}{', rng' if noisy else ''}) of "
    shown += f"{len(moves)} position{'s' * (len(moves) > 1)} of Tic-Tac-Toe, where simulate visits "
    shown += "the first three moves in turn"
    return Case(arguments, shown=shown, use=seen, changes_arguments=True)


_POSITIONS: Final = ("", "b2", "a1 b2 c3", "a1 b2 a2 a3 c1", "b2 a1 c3")


def _think_cases() -> list[Case]:
    return [_think_case(["b2"], 5, noisy=False), _think_case([""] * _MANY, 2, noisy=True)]


def _think_variation(rng: np.random.Generator) -> Case:
    moves = [str(each) for each in rng.choice(_POSITIONS, rng.integers(1, 4), replace=False)]
    return _think_case(moves, int(rng.integers(1, 20)), bool(rng.integers(2)))


def noisy_priors(node: Node, alpha: float, weight: float, rng: np.random.Generator) -> list[float]:
    """That of notebook 11, which cannot be loaded before this module is there."""
    from mctslab.course.exercises import all_exercises

    priors: list[float] = all_exercises()["noisy_priors"].model_answer(node, alpha, weight, rng)
    return priors


@exercise(cases=_think_cases, variation=_think_variation)
def think(
    states: Sequence[State],
    simulate: Simulate,
    num_simulations: int,
    rng: np.random.Generator | None = None,
) -> list[dict[int | None, int]]:
    """Search each state in a tree of its own; returns the visits of its moves, by action.

    `simulate(roots, noise)` makes one simulation in each tree. With an `rng`, from the second one
    on `noise[root]` is `noisy_priors(root, 1.0, 0.25, rng)`, drawn once for each root. The rule
    looks there, so the tree keeps its own priors. Without an `rng`, `noise` is an empty dictionary.
    """
    roots = [search.Node(state) for state in states]
    noise: Noise = {}
    simulate(roots, noise)
    if rng is not None:
        for root in roots:
            noise[root] = noisy_priors(root, 1.0, 0.25, rng)
    for _ in range(num_simulations - 1):
        simulate(roots, noise)
    return [{child.action: child.visit_count for child in root.children} for root in roots]


# self_play

Visits: TypeAlias = Mapping[int, int]
Think: TypeAlias = Callable[[Sequence[State]], Sequence[Visits]]


class _Thinker:
    """Visits that depend on the number of moves only; it notes the sizes of its batches."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def __call__(self, states: Sequence[State]) -> list[dict[int, int]]:
        states = list(states)
        if any(state.is_terminal for state in states):
            raise ValueError("think was called with a game that is over")
        self.batches.append(len(states))
        return [_counts(state.legal_actions()) for state in states]


def _counts(actions: Sequence[int]) -> dict[int, int]:
    return dict(zip(actions, ((), (4,), (2, 6), (3, 6, 1))[len(actions)], strict=True))


def _games_seen(found: object) -> Any:
    """Of each game the actions that were played, and the visits; None for what are no games."""
    try:
        return [
            (_played(positions), list(visits))
            for positions, visits in found  # type: ignore[attr-defined]
        ]
    except (TypeError, ValueError, AttributeError, IndexError):
        return None


def _played(positions: Sequence[Any]) -> object:
    """The actions that lead from one position to the next, if they are those of one game."""
    pairs = list(itertools.pairwise(positions))
    played = tuple(state.path[-1] for _, state in pairs)
    is_line = all(state.path[:-1] == before.path for before, state in pairs)
    return played if is_line else Words("not one game")


def _self_play_case(places: Sequence[Place]) -> Case:
    """Games without chance."""

    def seen(function: Callable[..., Any], states: Any, think: _Thinker, *others: Any) -> object:
        answer = function(states, think, *others)
        played = _games_seen(answer)
        if played is None:
            return answer
        return {
            "positions searched together": think.batches,
            "moves of each game": [moves for moves, _ in played],
            "visits of each game": [visits for _, visits in played],
        }

    shown = "self_play(openings, think, 0, rng), where the openings are the start of "
    shown += " and of ".join(f"\n{outlined(place)}\n" for place in places)
    return Case(
        lambda: ([*map(game_of, places)], _Thinker(), 0, np.random.default_rng(13)),
        shown=shown,
        use=seen,
    )


def _drawn_case(temperature_plies: int, *shares: Mapping[object, float]) -> Case:
    """Many games at once of three plies, which begin with a place after one ply."""
    place = turn_of(0, drawn(), drawn(), drawn())
    for player in (1, 0):
        place = turn_of(player, place, place, place)

    def seen(function: Callable[..., Any], *arguments: Any) -> object:
        answer = function(*arguments)
        played = _games_seen(answer)
        if not played or {len(moves) for moves, _ in played} != {3}:
            return answer
        return {f"moves at ply {ply}": tally(moves[ply] for moves, _ in played) for ply in range(3)}

    def arguments() -> tuple[Any, ...]:
        state = game_of(turn_of(0, place)).child(SPARSE[0])
        return [state] * 600, _Thinker(), temperature_plies, np.random.default_rng(13)

    shown = f"self_play(openings, think, {temperature_plies}, rng) with 600 openings, each of them "
    shown += "a position after one random move, where the moves 3, 7 and 12 have 3, 6 and 1 visits"
    wanted = {f"moves at ply {ply}": Shares(each) for ply, each in enumerate(shares)}
    return Case(arguments, wanted, shown, seen)


def _self_play_cases() -> list[Case]:
    by_visits: Mapping[object, float] = {3: 0.3, 7: 0.6, 12: 0.1}
    best: Mapping[object, float] = {7: 1.0}
    return [
        _self_play_case([turn_of(0, drawn(), turn_of(1, won_by(0), drawn()))]),
        _drawn_case(1, by_visits, best, best),
        _drawn_case(9, by_visits, by_visits, by_visits),
    ]


def _self_play_variation(rng: np.random.Generator) -> Case:
    places = [place_at_random(rng, 6) for _ in range(rng.integers(1, 6))]
    return _self_play_case([turn_of(0, each) if each.returns else each for each in places])


@exercise(cases=_self_play_cases, variation=_self_play_variation, points=3)
def self_play(
    openings: Sequence[State], think: Think, temperature_plies: int, rng: np.random.Generator
) -> list[tuple[list[State], list[Visits]]]:
    """Games that begin with these openings, all at once: the positions and the visits of each.

    `think(states)` searches the newest position of every unfinished game; it returns for each the
    visits of its moves, by action. The first `temperature_plies` moves after an opening are drawn,
    each in proportion to its visits. From then on the most visited move is played.
    """
    played: list[tuple[list[State], list[Visits]]] = [([state], []) for state in openings]
    unfinished = played
    while unfinished:
        newest = [positions[-1] for positions, _ in unfinished]
        for (positions, visits), counts in zip(unfinished, think(newest), strict=True):
            if len(visits) < temperature_plies:
                total = sum(counts.values())
                shares = [count / total for count in counts.values()]
                action = int(rng.choice(list(counts), p=shares))
            else:
                action = max(counts, key=lambda action: counts[action])
            visits.append(counts)
            positions.append(positions[-1].child(action))
        unfinished = [game for game in unfinished if not game[0][-1].is_terminal]
    return played


# alphazero


@dataclass
class _Pupil:
    """Stands for a net; it knows how many steps it has learned."""

    num_steps: int = 0


@dataclass
class _School:
    """The games, samples and steps of a run, noted as they come. A sample is a number, in a pair
    with its game's."""

    num_games: int
    played_after: list[int] = field(default_factory=list)
    batches: list[tuple[int, ...]] = field(default_factory=list)
    drawn: dict[int, set[int]] = field(default_factory=dict)

    def play(self, model: _Pupil) -> list[tuple[list[int], list[int]]]:
        """The games of an iteration: a number for the positions, and minus that for the visits."""
        first = 1 + self.num_games * len(self.played_after)
        self.played_after.append(model.num_steps)
        numbers = range(first, first + self.num_games)
        return [([number], [-number]) for number in numbers]

    def samples_of(self, positions: Sequence[int], visits: Sequence[int]) -> list[tuple[int, int]]:
        """Each game has 64 samples."""
        [game], [other] = positions, visits
        if not game == -other > 0:
            raise ValueError("samples_of needs the positions of a game, and then its visits")
        return [(64 * (game - 1) + number, game) for number in range(64)]

    def learn(self, model: _Pupil, batch: Sequence[tuple[int, int]]) -> None:
        """A step."""
        numbers = tuple(number for number, _ in batch)
        model.num_steps += 1
        self.batches.append(numbers)
        self.drawn.setdefault(len(self.played_after), set()).update(numbers)


def _small_run() -> Case:
    """A buffer with fewer samples than a batch; whoever draws none twice can only refuse."""

    def seen(function: Callable[..., Any], model: _Pupil, play: Any, *others: Any) -> object:
        school: _School = play.__self__
        try:
            list(islice(function(model, play, *others), 4))
        except ValueError as error:
            if "larger sample" not in str(error):
                raise
        return {"sizes of batches that are not 128": sorted({*map(len, school.batches)} - {128})}

    def arguments() -> tuple[Any, ...]:
        school = _School(1)
        parts = (school.play, school.samples_of, school.learn)
        return _Pupil(), *parts, 1, 3, 200, np.random.default_rng(13)

    shown = "alphazero(model, play, samples_of, learn, num_iterations=1, num_steps=3, "
    shown += "capacity=200, rng=rng), where the only game has 64 samples"
    wanted: dict[str, object] = {"sizes of batches that are not 128": []}
    return Case(arguments, wanted, shown, seen, True, is_lazy=True)


def _run_variation(rng: np.random.Generator) -> Case:
    if rng.random() < 0.1:
        return _small_run()
    num_iterations, num_games = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    capacity, num_steps = int(rng.integers(128, 200)), 20

    def arguments() -> tuple[Any, ...]:
        school = _School(num_games)
        parts = (school.play, school.samples_of, school.learn)
        sizes = (num_iterations, num_steps, capacity)
        return _Pupil(), *parts, *sizes, np.random.default_rng(13)

    def seen(function: Callable[..., Any], model: _Pupil, play: Any, *others: Any) -> object:
        school: _School = play.__self__
        answer = function(model, play, *others)
        if not isinstance(answer, Iterator | list | tuple):
            return answer
        handed_out = [
            each.num_steps if isinstance(each, _Pupil) else each
            for each in islice(answer, 3 * num_iterations + 3)
        ]
        # With this number of draws no sample is left out, except once in thousands of runs.
        return {
            "steps taken before each yield": handed_out,
            "steps taken before each call of play": school.played_after,
            "sizes of the batches": sorted({len(batch) for batch in school.batches}),
            "different batches": len({*school.batches}),
            **{
                f"oldest and newest sample drawn in iteration {number}": (min(some), max(some))
                for number, some in school.drawn.items()
            },
        }

    shown = f"alphazero(model, play, samples_of, learn, {num_iterations=}, {num_steps=}, "
    shown += f"{capacity=}, rng=rng), where each of {num_games} games has 64 samples"
    return Case(arguments, shown=shown, use=seen, changes_arguments=True, is_lazy=True)


@exercise(variation=_run_variation, points=2)
def alphazero(
    model: Model,
    play: Callable[[Model], Sequence[tuple[Any, Any]]],
    samples_of: Callable[[Any, Any], Sequence[Any]],
    learn: Callable[[Model, Sequence[Any]], None],
    num_iterations: int,
    num_steps: int,
    capacity: int,
    rng: np.random.Generator,
) -> Iterator[Model]:
    """Train a net by its own games; yields it before any game, and again after every iteration.

    An iteration begins with the games that `play(model)` returns, as pairs of positions and visits.
    `samples_of(positions, visits)` is the list of samples of a game. The newest `capacity` samples
    are kept. `learn(model, batch)` takes one training step; an iteration ends with `num_steps` of
    them, each with 128 samples that are drawn at random, with repetition.
    """
    buffer: list[Any] = []
    yield model
    for _ in range(num_iterations):
        for positions, visits in play(model):
            buffer += samples_of(positions, visits)
        del buffer[:-capacity]
        for _ in range(num_steps):
            chosen = rng.integers(len(buffer), size=128)
            learn(model, [buffer[number] for number in chosen])
        yield model
