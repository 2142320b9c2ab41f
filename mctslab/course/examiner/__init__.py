"""The examiner: it takes a whole search and finds out what is wrong with it.

    from mctslab import course

    course.examine(my_search)  # my_search(position, num_simulations, rng)

The search plays tiny games, each designed so that one classic fault shows. The examiner knows which
positions the search reaches, because the games record every call, and it reads what the search
returns: an action, the visits of the moves by action, the root of its tree, or a pair of an action
and one of these.

A search with a net has a fourth parameter, and receives a net that knows who wins wherever this is
settled: `net(position)` is a policy over all actions and a value for the player to move. Called
with a list of positions, it returns a list of policies and one of values.

Positions have the interface of `mctslab.games.State`. A search that needs a different one is given
an `adapter`, which makes its positions: `MutableBoard` has `push` and `pop`, `ArrayGame` has
functions of arrays, and `adapters.py` explains how to write your own. `evaluator_of(net)` is that
net for the package's own searches. `examine_self_play` does the same for self-play.
"""

from collections.abc import Callable
from typing import Any, Final

from mctslab.course.examiner import self_play
from mctslab.course.examiner.adapters import ArrayGame, MutableBoard, evaluator_of
from mctslab.course.examiner.candidate import Adapter, Candidate, takes_net
from mctslab.course.examiner.questions import QUESTIONS, ask_all, conventions
from mctslab.course.examiner.report import Finding, Report
from mctslab.running_line import RunningLine

__all__ = [
    "ArrayGame",
    "Finding",
    "MutableBoard",
    "Report",
    "evaluator_of",
    "examine",
    "examine_self_play",
]

FEWEST: Final = 100


def examine(
    search: Callable[..., Any],
    *,
    adapter: Adapter = lambda state: state,
    num_simulations: int = 400,
    seconds: float = 10.0,
    progress: Callable[[str], object] | None = None,
) -> Report:
    """Examine a search: play tiny games with it, and name its fault.

    Args:
        search: `search(position, num_simulations, rng)`, or `search(position, num_simulations,
            rng, net)`. If it has a parameter such as `seconds` as well, its clock is examined.
        adapter: makes the position that the search gets, from one of the examiner's.
        num_simulations: the budget of most searches, 100 or more.
        seconds: the time limit for one search.
        progress: called with the name of each question; by default a line of text shows it.

    Raises:
        ValueError: `num_simulations` is too small, or `search` is not a function.
    """
    if not callable(search):
        raise ValueError(f"search must be a function, got {search!r}.")
    if num_simulations < FEWEST:
        raise ValueError(f"num_simulations must be {FEWEST} or more, got {num_simulations!r}.")
    candidate = Candidate(search, adapter, takes_net=takes_net(search), seconds=seconds)
    line = RunningLine()

    def show(name: str) -> None:
        line.update(lambda: f"Examining: {name}", is_last=False)

    tried, findings = ask_all(candidate, num_simulations, progress or show)
    if progress is None:
        line.update(lambda: f"{len(tried)} of {len(QUESTIONS)} questions asked", is_last=True)
    notes = [] if findings else conventions(candidate)
    return Report(_name(search), tried, findings, notes)


def examine_self_play(
    play: Callable[..., Any],
    *,
    adapter: Adapter = lambda state: state,
    match: Callable[..., Any] | None = None,
    augment: Callable[..., Any] | None = None,
) -> Report:
    """Examine self-play: the labels of its games, noise in its matches, and rotated boards.

    Args:
        play: `play(position, net, rng)` plays a game of a net against itself and returns its
            training samples: a list of (position, policy, value), where a policy is an array over
            all actions, or the shares by action.
        adapter: makes the positions that `play` and `match` get, as for `examine`.
        match: `match(position, net, rng)` plays a game that tests the net's strength, with 20
            simulations a move or more. Its return value does not matter.
        augment: `augment(planes, policy)` returns such pairs, rotated and mirrored; or
            `augment(planes, policy, rng)` returns one of them. Planes are [C, 4, 4], policies [16].

    Raises:
        ValueError: one of them is not a function.
    """
    for function in (play, match, augment):
        if function is not None and not callable(function):
            raise ValueError(f"{function!r} is not a function.")
    tried = ["the labels of games that are won, lost and drawn"]
    findings = list(self_play.labels(play, adapter))
    if match is not None:
        tried.append("noise in matches")
        findings += self_play.match_noise(match, adapter)
    if augment is not None:
        tried.append("boards that are rotated and mirrored")
        findings += self_play.turned_boards(augment)
    return Report(_name(play), tried, findings)


def _name(function: object) -> str:
    return getattr(function, "__name__", repr(function))
