"""Notebook 13, the page: searches side by side, their noise, games side by side, and the loop.

What a function is made of is passed to it, so that each of them can be checked with small stand-ins
for the net, and is the same function with the real one.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab import games, search
from mctslab.course.checking.comparing import Near, Shares, Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.positions import after
from mctslab.course.question import FROM_MODEL, Case
from mctslab.course.tree_game import (
    SPARSE,
    Place,
    TreeGame,
    drawn,
    named,
    outlined,
    place_at_random,
    statistics,
    turn_of,
    won_by,
)
from mctslab.games.state import State
from mctslab.search import backpropagate, select
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule

Model: TypeAlias = Any
Values: TypeAlias = Sequence[tuple[float, float]]
Priors: TypeAlias = Sequence[Sequence[float]]
Evaluate: TypeAlias = Callable[[Sequence[State]], tuple[Values, Priors]]

# simulate_all


class _Judge:
    """An evaluator whose answers depend on the number of moves only; it notes its batches."""

    def __init__(self) -> None:
        self.batches: list[tuple[Words, ...]] = []

    def __call__(self, states: Sequence[State]) -> tuple[Values, Priors]:
        states = list(states)
        if not states:
            raise ValueError("evaluate was called without positions")
        self.batches.append(tuple(_name(state) for state in states))
        values, priors = [], []
        for state in states:
            number = len(state.legal_actions())
            value = (0.0, 0.75, 0.5, -0.25)[number]
            values.append((value, -value))
            total = number * (number + 1) / 2
            priors.append([(at + 1) / total for at in range(number)])
        return values, priors


def _name(state: State) -> Words:
    assert isinstance(state, TreeGame)
    return Words(named(state.path) + (" (the game is over)" if state.is_terminal else ""))


def _tree_facts(number: int, root: Node) -> dict[str, object]:
    facts: dict[str, object] = {
        f"tree {number}: {fact}": value for fact, value in statistics(root).items()
    }
    nodes = [(root, ())]
    for node, path in nodes:
        nodes += [(child, (*path, child.action)) for child in node.children]  # type: ignore[misc]
        if node.children:
            facts[f"tree {number}: priors below {named(path)}"] = {
                child.action: child.prior for child in node.children
            }
    return facts


def _simulate_case(number: int, places: Sequence[Place], expected: Any = FROM_MODEL) -> Case:
    """New trees, and what is in them after some simulations."""

    def arguments() -> tuple[list[Node], SelectionRule, _Judge]:
        roots = [Node(TreeGame(place, (), SPARSE)) for place in places]
        return roots, search.puct(1.25), _Judge()

    def seen(
        function: Callable[..., Any], roots: list[Node], rule: SelectionRule, judge: _Judge
    ) -> dict[str, object]:
        for _ in range(number):
            function(roots, rule, judge)
        facts: dict[str, object] = {"batches": judge.batches}
        for at, root in enumerate(roots, start=1):
            facts |= _tree_facts(at, root)
        return facts

    times = "" if number == 1 else f", {number} times in a row"
    shown = f"simulate_all(roots, search.puct(1.25), evaluate){times}, with a new root for "
    shown += "and one for ".join(f"\n{outlined(place)}\n" for place in places)
    return Case(arguments, expected, shown, seen, changes_arguments=True)


def _simulate_cases() -> list[Case]:
    # By hand. With two moves the value is 0.5 for player 0 and the priors are 1/3 and 2/3; with
    # three it is -0.25, and they are 1/6, 2/6 and 3/6; with one it is 0.75. The actions are 3, 7
    # and 12.
    two = turn_of(0, drawn(), won_by(0))
    three = turn_of(1, won_by(0), drawn(), turn_of(0, drawn()))
    root, deep, new = Words("the root"), Words("the node after action 12"), (0, 0.0)
    shares = ({3: 1 / 3, 7: 2 / 3}, {3: 1 / 6, 7: 2 / 6, 12: 3 / 6})

    def tree(number: int, at_root: tuple[int, float], **nodes: tuple[int, float]) -> dict[str, Any]:
        below = {f"tree {number}: N and W of the node after {a}": n for a, n in nodes.items()}
        return {f"tree {number}: N and W of the root": at_root, **below}

    def facts(batches: Any, *trees: dict[str, Any]) -> dict[str, Any]:
        merged: dict[str, Any] = {"batches": batches}
        for each in trees:
            merged |= {fact.replace("action_", "action "): value for fact, value in each.items()}
        return merged

    def priors(number: int, below: Mapping[int, float]) -> dict[str, Any]:
        return {f"tree {number}: priors below the root": below}

    ends = turn_of(1, won_by(1))
    once = facts(
        [(root, root)],
        tree(1, (1, 0.5), action_3=new, action_7=new) | priors(1, shares[0]),
        tree(2, (1, 0.25), action_3=new, action_7=new, action_12=new) | priors(2, shares[1]),
    )
    twice = facts(
        [(root, root), (deep,)],
        tree(1, (2, 1.5), action_3=new, action_7=(1, 1.0)) | priors(1, shares[0]),
        tree(2, (2, -0.5), action_3=new, action_7=new, action_12=(1, -0.75)) | priors(2, shares[1]),
        {
            "tree 2: N and W of the node after actions 12, 3": new,
            "tree 2: priors below the node after action 12": {3: 1.0},
        },
    )
    three_times = facts([(root,)], tree(1, (3, 1.25), action_3=(2, 2.0)) | priors(1, {3: 1.0}))
    return [
        _simulate_case(1, [two, three], once),
        _simulate_case(2, [two, three], twice),
        _simulate_case(3, [ends], three_times),
    ]


def _simulate_variation(rng: np.random.Generator) -> Case:
    places = [place_at_random(rng, 4) for _ in range(rng.integers(1, 4))]
    places = [turn_of(0, each) if each.returns is not None else each for each in places]
    return _simulate_case(int(rng.integers(1, 9)), places)


@exercise(cases=_simulate_cases, variation=_simulate_variation)
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
_SPREAD: Final = "standard deviation of the noisy priors"
_DEVIATION: Final = 0.25 * (1 / 9 * 8 / 9 / 10) ** 0.5
"""That of a Dirichlet distribution of nine numbers with alpha 1, of which a quarter is mixed in."""


@dataclass
class _Simulations:
    """Grows trees without a net, and notes what it was given."""

    trees: list[int] = field(default_factory=list)
    noisy: list[int] = field(default_factory=list)
    drawn: set[tuple[float, ...]] = field(default_factory=set)
    roots: set[int] = field(default_factory=set)
    kept: list[Node] = field(default_factory=list)
    is_mixed: bool = True

    def __call__(self, roots: Sequence[Node], noise: Noise) -> None:
        self.trees.append(len(roots))
        self.noisy.append(sum(root in noise for root in roots))
        for root in roots:
            if root.parent is not None or not isinstance(root.state, State):
                raise ValueError("simulate needs the roots of trees")
            if id(root) not in self.roots:
                self.roots.add(id(root))
                self.kept.append(root)
            if not root.children:
                self._expand(root)
            elif root in noise:
                self._note(root, noise[root])
            chosen = root.children[root.visit_count % 3 % len(root.children)]
            chosen.visit_count += root.visit_count > 0
            root.visit_count += 1

    def spread(self) -> dict[str, float]:
        """How far the noise leads from the priors; only over many trees."""
        numbers = [number for noise in self.drawn for number in noise]
        return {_SPREAD: float(np.std(numbers))} if len(self.kept) >= _MANY and numbers else {}

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


def _think_case(moves: Sequence[str], num_simulations: int, noisy: bool) -> Case:
    def arguments() -> tuple[Any, ...]:
        states = [after(games.TicTacToe(), each) for each in moves]
        rng = np.random.default_rng(13) if noisy else None
        return states, _Simulations(), num_simulations, rng

    def seen(
        function: Callable[..., Any],
        states: Sequence[State],
        simulations: _Simulations,
        number: int,
        rng: np.random.Generator | None,
    ) -> object:
        visits = function(states, simulations, number, rng)
        roots = simulations.kept
        clean = all(
            abs(child.prior - 1 / len(root.children)) < 1e-9
            for root in roots
            for child in root.children
        )
        return {
            "visits": visits,
            "trees in each simulation": simulations.trees,
            "trees with noise in each simulation": simulations.noisy,
            "new trees": len(roots),
            "different noises": len(simulations.drawn),
            "noise is a quarter of the priors": simulations.is_mixed,
            "the trees keep their own priors": clean,
            **simulations.spread(),
        }

    number = len(moves)
    wanted = {
        "visits": [_visits(each, num_simulations) for each in moves],
        "trees in each simulation": [number] * num_simulations,
        "trees with noise in each simulation": [0, *[number * noisy] * (num_simulations - 1)],
        "new trees": number,
        "different noises": number if noisy and num_simulations > 1 else 0,
        "noise is a quarter of the priors": True,
        "the trees keep their own priors": True,
    }
    if number >= _MANY:
        wanted[_SPREAD] = Near(_DEVIATION, _DEVIATION / 8)
    shown = f"think(states, simulate, {num_simulations}{', rng' if noisy else ''}) of "
    shown += f"{number} position{'s' * (number > 1)} of Tic-Tac-Toe, where simulate visits the "
    shown += "first three moves in turn"
    return Case(arguments, wanted, shown, seen, changes_arguments=True)


def _visits(moves: str, num_simulations: int) -> dict[int, int]:
    """The second simulation visits the second of three moves, and the next one the third."""
    actions = after(games.TicTacToe(), moves).legal_actions()
    chosen = [number % 3 % len(actions) for number in range(1, num_simulations)]
    return {action: chosen.count(at) for at, action in enumerate(actions)}


_POSITIONS: Final = ("", "b2", "a1 b2 c3", "a1 b2 a2 a3 c1", "b2 a1 c3")


def _think_cases() -> list[Case]:
    return [
        _think_case(["b2"], 5, noisy=False),
        _think_case(["", "a1 b2 c3"], 6, noisy=True),
        _think_case(["", "b2", "a1 b2 a2 a3 c1"], 1, noisy=True),
        _think_case([""] * _MANY, 2, noisy=True).with_about(
            "In so many trees the size of the noise can be seen: it is that of "
            "`noisy_priors(root, 1.0, 0.25, rng)`."
        ),
    ]


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


def _games_seen(found: object) -> list[tuple[tuple[int, ...], Any, list[Any]]]:
    """Of each game where it began, the actions that were played, and the visits."""
    seen = []
    for positions, visits in found:  # type: ignore[attr-defined]
        first, *others = positions
        played = tuple(state.path[-1] for state in others)
        is_line = all(
            state.path == (*before.path, action)
            for before, state, action in zip(positions, others, played, strict=False)
        )
        seen.append((first.path, played if is_line else Words("not one game"), list(visits)))
    return seen


_FACTS: Final = ("positions searched together", "moves of each game", "visits of each game")


def _self_play_case(openings: Sequence[tuple[Place, int]], *moves: tuple[int, ...]) -> Case:
    """Games without chance, each from the position after some first options of a place."""

    def states() -> list[State]:
        made: list[State] = []
        for place, ply in openings:
            state: State = TreeGame(place, (), SPARSE)
            for _ in range(ply):
                state = state.child(SPARSE[0])
            made.append(state)
        return made

    def seen(function: Callable[..., Any], states: Any, think: _Thinker, *others: Any) -> object:
        answer = function(states, think, *others)
        try:
            played = _games_seen(answer)
        except (TypeError, ValueError, AttributeError, IndexError):
            return answer
        facts = (think.batches, [each[1] for each in played], [each[2] for each in played])
        return dict(zip(_FACTS, facts, strict=True))

    visits = []
    for state, actions in zip(states(), moves, strict=False):
        searched = []
        for action in actions:
            searched.append(_counts(state.legal_actions()))
            state = state.child(action)
        visits.append(searched)
    lengths = [len(each) for each in moves]
    sizes = [sum(length > ply for length in lengths) for ply in range(max(lengths, default=0))]
    wanted = dict(zip(_FACTS, (sizes, [*moves], visits), strict=True)) if moves else FROM_MODEL
    shown = "self_play(openings, think, 0, rng), where the openings are the start of "
    shown += " and of ".join(f"\n{outlined(place)}\n" for place, _ in openings)
    return Case(lambda: (states(), _Thinker(), 0, np.random.default_rng(13)), wanted, shown, seen)


_PAIR: Final = turn_of(0, drawn(), turn_of(1, won_by(0), drawn()))
_TRIPLE: Final = turn_of(1, drawn(), turn_of(1, won_by(0)), drawn())


def _drawn_case(temperature_plies: int, *shares: Mapping[int, float]) -> Case:
    """Many games at once of three plies, which begin with a place after one ply."""
    place = turn_of(0, drawn(), drawn(), drawn())
    for player in (1, 0):
        place = turn_of(player, place, place, place)

    def seen(function: Callable[..., Any], states: Any, *others: Any) -> object:
        answer = function(states, *others)
        try:
            played = [actions for _, actions, _ in _games_seen(answer)]
            return {
                f"moves at ply {ply}": tally(actions[ply] for actions in played) for ply in range(3)
            }
        except (TypeError, ValueError, AttributeError, IndexError):
            return answer

    def arguments() -> tuple[Any, ...]:
        state = TreeGame(turn_of(0, place), (), SPARSE).child(SPARSE[0])
        return [state] * 600, _Thinker(), temperature_plies, np.random.default_rng(13)

    shown = f"self_play(openings, think, {temperature_plies}, rng) with 600 openings, each of them "
    shown += "a position after one random move, where the moves 3, 7 and 12 have 3, 6 and 1 visits"
    wanted = {f"moves at ply {ply}": Shares(dict(each.items())) for ply, each in enumerate(shares)}
    return Case(arguments, wanted, shown, seen)


_DRAWN: Final = (
    "There are moves to draw here: before ply `temperature_plies`, a move has the "
    "chance of its share of the visits."
)


def _self_play_cases() -> list[Case]:
    by_visits, best = {3: 0.3, 7: 0.6, 12: 0.1}, {7: 1.0}
    return [
        _self_play_case([(_PAIR, 0)], (7, 7)),
        _self_play_case(
            [(_PAIR, 0), (_TRIPLE, 0), (turn_of(0, _TRIPLE), 1)], (7, 7), (7, 3), (7, 3)
        ),
        _self_play_case([(turn_of(0, drawn()), 0), (turn_of(1, _PAIR), 0)], (3,), (3, 7, 7)),
        _drawn_case(1, by_visits, best, best).with_about(_DRAWN),
        _drawn_case(9, by_visits, by_visits, by_visits).with_about(_DRAWN),
    ]


def _self_play_variation(rng: np.random.Generator) -> Case:
    places = [place_at_random(rng, 6) for _ in range(rng.integers(1, 6))]
    places = [turn_of(0, each) if each.returns is not None else each for each in places]
    return _self_play_case([(each, 0) for each in places])


@exercise(cases=_self_play_cases, variation=_self_play_variation)
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


def _run_case(num_iterations: int, num_games: int, capacity: int, num_steps: int = 20) -> Case:
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
        return {
            _STEPS[0]: handed_out,
            _STEPS[1]: school.played_after,
            "sizes of the batches": sorted({len(batch) for batch in school.batches}),
            "different batches": len({*school.batches}),
            **{_OLDEST.format(n): (min(s), max(s)) for n, s in school.drawn.items()},
        }

    at = [num_steps * number for number in range(num_iterations + 1)]
    newest = [64 * num_games * number for number in range(1, num_iterations + 1)]
    wanted = {
        _STEPS[0]: at,
        _STEPS[1]: at[:-1],
        "sizes of the batches": [128],
        "different batches": at[-1],
        **{
            _OLDEST.format(number): (max(0, end - capacity), end - 1)
            for number, end in enumerate(newest, start=1)
        },
    }
    shown = f"alphazero(model, play, samples_of, learn, {num_iterations=}, {num_steps=}, "
    shown += f"{capacity=}, rng=rng), where each of {num_games} games has 64 samples"
    return Case(arguments, wanted, shown, seen, changes_arguments=True, is_lazy=True)


_STEPS: Final = ("steps taken before each yield", "steps taken before each call of play")
_OLDEST: Final = "oldest and newest sample drawn in iteration {}"


def _run_cases() -> list[Case]:
    """With this number of draws no sample is left out, except once in thousands of runs."""
    return [_run_case(1, 2, 500), _run_case(2, 2, 500), _run_case(3, 2, 180)]


def _run_variation(rng: np.random.Generator) -> Case:
    num_iterations, num_games = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    return _run_case(num_iterations, num_games, int(rng.integers(128, 200)))


@exercise(cases=_run_cases, variation=_run_variation)
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
    are kept. `learn(model, batch)` takes a training step: `num_steps` of them, each with 128
    samples that are drawn at random.
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
