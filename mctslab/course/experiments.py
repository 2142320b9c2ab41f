"""What the experiments of the notebooks share: how large they are, and where their games are
stored."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from mctslab.course.keeping.progress import is_graded
from mctslab.games.state import State

if TYPE_CHECKING:
    from mctslab.arena import MatchResult
    from mctslab.arena.settings import Entry

Amount = TypeVar("Amount")


def is_quick() -> bool:
    """Whether this is a short run: the variable MCTSLAB_QUICK is 1, or nbgrader runs it."""
    return os.environ.get("MCTSLAB_QUICK") == "1" or is_graded()


def budget(full: Amount, *, quick: Amount) -> Amount:
    """`full`; in a short run, for grading and for the project's own tests, `quick`."""
    return quick if is_quick() else full


def match(
    name: str,
    game: str | State,
    first: "Entry",
    second: "Entry",
    *,
    afresh: bool = False,
    **conditions: Any,
) -> "MatchResult":
    """A match whose games are stored next to the notebook, in `results/NAME.jsonl`.

    Only games that are missing there are played.

    Args:
        name: Of the file, without its ending.
        game: As in `arena.match`.
        first: As in `arena.match`.
        second: As in `arena.match`.
        afresh: Play all games again, into the folder `my_results`. If you stop it and call it
            again, it continues.
        conditions: As in `arena.match`, such as `num_games` and `seed`.

    Raises:
        ValueError: the file belongs to a different match, or an argument makes no sense.
    """
    from mctslab import arena  # takes a while to load, and most notebooks need none

    file = Path("my_results" if afresh else "results") / f"{name}.jsonl"
    return arena.match(game, first, second, **conditions, file=file, progress=arena.TextProgress())
