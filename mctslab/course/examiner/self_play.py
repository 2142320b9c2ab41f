"""The examiner of self-play: the samples of a game, the searches of a match, the rotated boards.

It plays games whose result is known from the beginning, so that every label is known as well. In
them turns do not alternate, and the actions are 3, 7 and 12.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mctslab.course.checking import sandbox
from mctslab.course.examiner.candidate import Adapter, net_for, position_meant
from mctslab.course.examiner.exam_game import ExamState, Record, end
from mctslab.course.examiner.report import Finding
from mctslab.course.tree_game import SPARSE, turn_of

_MOVERS: Final = (0, 1, 1, 0, 1, 0, 0, 1)
_PRIORS: Final = (0.5, 0.3, 0.2)
_SECONDS: Final = 20.0
_SIDE: Final = 4

Findings = Iterator[Finding]
Numbers = npt.NDArray[np.float64]


class Sample(NamedTuple):
    """A sample: a position with its targets."""

    state: ExamState
    policy: Mapping[int, float]
    value: float


def game(winner: int | None, number: int) -> ExamState:
    """The first position of a game of eight moves that ends in the same way, whatever is played."""
    place = end(winner)
    for mover in reversed(_MOVERS):
        place = turn_of(mover, place, place, place)
    return ExamState(place, (), SPARSE, Record(number, priors=_Everywhere()))


class _Everywhere(dict[tuple[int, ...], Sequence[float]]):
    """The same priors for every position."""

    def get(self, _path: object, _default: object = None) -> Any:
        return _PRIORS


def labels(play: Callable[..., Any], adapter: Adapter) -> Findings:
    """The targets of games that player 0 wins, that player 1 wins, and that are drawn."""
    games: dict[int | None, list[Sample]] = {}
    for number, winner in enumerate((0, 1, None), start=1):
        state = game(winner, number)
        value = _called(play, state, adapter)
        if isinstance(value, Finding):
            yield value
            return
        try:
            games[winner] = [_sample(each, state, adapter) for each in value]
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            seen = f"Expected samples (position, policy, value), but: {error}"
            yield Finding("it returns something else", seen, state)
            return
    for samples in games.values():
        over = [sample.state for sample in samples if sample.state.is_terminal]
        if over:
            seen = "A sample has a position in which the game is over."
            yield Finding("positions after the end", seen, over[0])
            return
    yield from _values(games)
    yield from _policies([sample for samples in games.values() for sample in samples])
    yield from _temperature(games[None])


def _called(function: Callable[..., Any], state: ExamState, adapter: Adapter, seed: int = 1) -> Any:
    """The result of a function of a position, a net and a generator, or a finding if it fails."""
    position = adapter(state)
    arguments = (position, net_for(position), np.random.default_rng(seed))
    called = sandbox.call(function, arguments, _SECONDS)
    if called.too_slow:
        return Finding("it does not return", "A game of eight moves did not end.", state)
    if called.error is not None:
        name = type(called.error).__name__
        return Finding("it fails", f"{name}: {called.error}", state)
    return called.value


def _sample(each: Any, state: ExamState, adapter: Adapter) -> Sample:
    shown, policy, value = each
    if not isinstance(policy, Mapping):
        policy = dict(enumerate(np.asarray(policy, float).ravel().tolist()))
    position = adapter(state)
    return Sample(position_meant(position, shown), policy, float(np.asarray(value).ravel()[0]))


def _values(games: Mapping[int | None, Sequence[Sample]]) -> Findings:
    """Every value is for the player to move; those of draws are half-way."""
    decided = [
        (sample, 1 if sample.state.current_player == winner else -1)
        for winner in (0, 1)
        for sample in games[winner]
    ]
    values = [sample.value for sample, _ in decided]
    middle = 0.5 if values and min(values) == 0 else 0.0
    for sample, sign in decided:
        if (sample.value - middle) * sign <= 0:
            result = "won" if sign > 0 else "lost"
            player = sample.state.current_player
            seen = (
                f"Player {player} is to move and has {result}, and the value is {sample.value:g}."
            )
            yield Finding("values are for the wrong player", seen, sample.state)
            return
    for sample in games[None]:
        if abs(sample.value - middle) > 1e-6:
            seen = f"The game was drawn, and the value is {sample.value:g}."
            yield Finding("drawn games have wrong values", seen, sample.state)
            return


def _policies(samples: Sequence[Sample]) -> Findings:
    """Every policy is a distribution over the legal actions."""
    for sample in samples:
        legal = sample.state.legal_actions()
        illegal = {a: share for a, share in sample.policy.items() if share and a not in legal}
        if illegal:
            seen = f"Legal are {legal}, and the policy contains {illegal}."
            yield Finding("policies contain illegal actions", seen, sample.state)
            return
        total = sum(sample.policy.values())
        if abs(total - 1) > 1e-3 or min(sample.policy.values()) < 0:
            seen = f"The policy sums to {total:g}."
            yield Finding("policies are not normalised", seen, sample.state)
            return


def _temperature(samples: Sequence[Sample]) -> Findings:
    """If no move is better than any other, no search settles on a single move."""
    late = [sample.policy.values() for sample in samples[len(samples) // 2 :]]
    if late and all(max(shares) > 0.99 * sum(shares) for shares in late):
        seen = "All moves lead to draws, and late in the game each policy contains a single move."
        yield Finding("temperature in the policies", seen, samples[-1].state)


def match_noise(match: Callable[..., Any], adapter: Adapter) -> Findings:
    """The first positions that the net evaluates in a match are the same for every seed."""
    counts = []
    for seed in range(8):
        state = game(None, 10 + seed)
        found = _called(match, state, adapter, seed)
        if isinstance(found, Finding):
            yield found
            return
        first = [leaf[0] for leaf in state.record.leaves() if leaf][:20]
        counts.append([first.count(action) for action in state.legal_actions()])
    apart = max(max(column) - min(column) for column in zip(*counts, strict=True))
    if apart > 3:
        seen = (
            f"The net is the same, but its first 20 leaves are below the moves {counts[:3]} times."
        )
        yield Finding("noise in matches", seen, state)


def turned_boards(augment: Callable[..., Any]) -> Findings:
    """Each square has a number, and its action a probability in proportion to it."""
    numbers = np.arange(1.0, _SIDE**2 + 1)
    planes = np.stack([numbers, -numbers]).reshape(2, _SIDE, _SIDE)
    policy = numbers / numbers.sum()
    takes_rng = len(inspect.signature(augment).parameters) > 2
    for seed in range(16 if takes_rng else 1):
        rest = (np.random.default_rng(seed),) if takes_rng else ()
        called = sandbox.call(augment, (planes.copy(), policy.copy(), *rest), _SECONDS)
        if called.error is not None or called.too_slow:
            yield Finding("it fails", f"augment: {called.error!r}")
            return
        try:
            pairs = [_numbers(pair) for pair in _pairs(called.value)]
        except (TypeError, ValueError) as error:
            yield Finding("it returns something else", f"augment: expected planes, policy; {error}")
            return
        for board, turned in pairs:
            if not np.allclose(board.ravel()[: _SIDE**2] / numbers.sum(), turned.ravel()):
                seen = "A probability is on a different square from before."
                yield Finding("the policy is not turned with the board", seen)
                return


def _pairs(value: Any) -> Sequence[Any]:
    """One pair of planes and policy, or several."""
    several = list(value)
    is_one = len(several) == 2 and np.ndim(several[0]) == 3
    return [several] if is_one else several


def _numbers(pair: Any) -> tuple[Numbers, Numbers]:
    planes, policy = pair
    return np.asarray(planes, float), np.asarray(policy, float)
