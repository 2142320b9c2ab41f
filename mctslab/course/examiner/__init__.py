"""The examiner: it takes a whole search and finds the tiny game in which it goes wrong.

    from mctslab import course

    course.examine(my_search)  # my_search(position, num_simulations, rng)

The search plays games of a few moves, each designed so that one classic fault shows. The examiner
knows which positions the search reaches, because the games record every call, and it reads what the
search returns: an action, the visits of the moves by action, the root of its tree, or a pair of an
action and one of these. The report names the game, the phase that contains the fault, and what to
look at, and it has the position to step through.

A search with a net has a fourth parameter without a default, and receives a net that knows who wins
wherever this is settled: `net(position)` is a policy over all actions and a value for the player to
move.

Positions have the interface of `mctslab.games.State`. If your search needs another one, wrap them:
`course.examine(lambda position, n, rng: my_search(MyBoard(position), n, rng))`. Whatever the search
learns about the game must come from the position's methods.
"""

from collections.abc import Callable
from typing import Any, Final

from mctslab.course.examiner.candidate import Candidate
from mctslab.course.examiner.questions import QUESTIONS
from mctslab.course.examiner.report import FoundError, Report
from mctslab.running_line import RunningLine

__all__ = ["Report", "examine"]

FEWEST: Final = 100


def examine(
    search: Callable[..., Any],
    *,
    num_simulations: int = 400,
    seconds: float = 10.0,
    progress: Callable[[str], object] | None = None,
) -> Report:
    """Examine a search: play tiny games with it, until it goes wrong in one of them.

    Args:
        search: `search(position, num_simulations, rng)`, or `search(position, num_simulations,
            rng, net)`.
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
    name = getattr(search, "__name__", repr(search))
    candidate, line, tried = Candidate(search, seconds), RunningLine(), []
    for question, ask in QUESTIONS.items():
        tried.append(question)
        if progress is not None:
            progress(question)
        else:
            line.update(lambda: f"Examining: {tried[-1]}", is_last=question is [*QUESTIONS][-1])
        try:
            ask(candidate, num_simulations)
        except FoundError as error:
            return Report(name, tried, error)
    return Report(name, tried)
