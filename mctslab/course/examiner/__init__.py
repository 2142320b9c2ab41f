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
from typing import Any

from mctslab.course.examiner.candidate import Candidate
from mctslab.course.examiner.questions import QUESTIONS
from mctslab.course.examiner.report import FoundError, Report, report_of

__all__ = ["Report", "examine"]


def examine(search: Callable[..., Any], *, seconds: float = 10.0) -> Report:
    """Examine a search: play tiny games with it, until it goes wrong in one of them.

    Args:
        search: `search(position, num_simulations, rng)`, or `search(position, num_simulations,
            rng, net)`.
        seconds: the time limit for one search.
    """
    name = getattr(search, "__name__", repr(search))
    candidate, tried = Candidate(search, seconds), []
    for question, ask in QUESTIONS.items():
        tried.append(question)
        try:
            ask(candidate)
        except FoundError as error:
            return report_of(name, tried, error)
    return report_of(name, tried)
