"""Build a book: search the most important position, store the result, and repeat.

All progress is in the book itself: a new run finds the frontier by walking through it.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mctslab import fast, games
from mctslab.book.frontier import frontier
from mctslab.book.store import Book, Summary
from mctslab.search.budget import Budget
from mctslab.search.evaluators import rollout_evaluator
from mctslab.search.knowledge.policies import rollout_policies
from mctslab.typed import Number, convert


def build(
    path: str | os.PathLike[str],
    game: str,
    *,
    game_options: Mapping[str, Any] | None = None,
    num_simulations: int = 100_000,
    seconds: float | None = None,
    max_positions: int | None = None,
    rollouts: str = "uniform",
    seed: int,
    progress: Callable[[Summary], object] = lambda summary: None,
) -> Summary:
    """Build a book, or continue building it.

    Every finished search is in the file at once. So a run can end in any way, also by Ctrl-C, and
    the same call continues it: only unfinished searches are lost, and no search is done twice. The
    same seed makes the same book, however often it was stopped.

    Args:
        path: the file; created if it does not exist.
        game: a name for `games.make`.
        game_options: for `games.make`, such as `{"size": 6}`.
        num_simulations: simulations of each search. A position with fewer in the book is searched
            again, and the results are added up.
        seconds: end when all searches in the book together, including those of earlier runs, have
            taken this time. None: no limit.
        max_positions: end when the book has this number of positions. None: no limit.
        rollouts: `uniform`, or for Reversi `roxanne` or `roxanne5`.
        seed: of all random numbers, 0 or more.
        progress: called with the size of the book after every search, and at the end.

    Returns:
        The content of the book, and why the building ended.

    Raises:
        ValueError: an impossible number, no such game or policy, or a file that is not a book, a
            different one (BookError).
        OSError: the file cannot be created.
    """
    Budget(num_simulations, seconds)
    convert(seed, Number, "seed")
    first_state = games.make(game, **(game_options or {}))
    if num_simulations < (least := len(first_state.legal_actions())):
        raise ValueError(f"num_simulations={num_simulations} is too small: at least {least}.")
    if (policy := rollout_policies().get(rollouts)) is None:
        known = ", ".join(rollout_policies())
        raise ValueError(f"rollouts must be one of {known}, got {rollouts!r}.")
    policy(first_state, np.random.default_rng(0))  # an error if it is for another game
    evaluator = rollout_evaluator(policy)
    fast.why_not(first_state, evaluator)  # compiles the search, or loads it
    with Book.create(path, first_state, rollouts=rollouts) as book:
        ended = "nothing is left to search"
        for candidate in frontier(book, first_state, num_simulations=num_simulations):
            so_far = book.summary()
            if seconds is not None and so_far.seconds >= seconds:
                ended = "the time is up"
                break
            if max_positions is not None and so_far.num_positions >= max_positions:
                ended = "the book is full"
                break
            result = fast.mcts(
                candidate.state,
                num_simulations=num_simulations,
                evaluator=evaluator,
                rng=np.random.default_rng([seed, num_simulations, *candidate.key]),
            )
            book.add(result, ply=candidate.ply)
            progress(book.summary())
        summary = replace(book.summary(), ended=ended)
        progress(summary)
        return summary
