"""What the experiments of the notebooks share: their sizes, the places of their games, and searches
that are made from the student's own phases."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from mctslab.course.keeping.progress import is_graded
from mctslab.games.state import State
from mctslab.search.evaluators import RolloutEvaluator, RolloutPolicy
from mctslab.search.mcts import Phases, recorded
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule, ucb1
from mctslab.search.trace import Trace

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


def assemble(
    select: Callable[[Node, SelectionRule], Node],
    expand: Callable[[Node, np.random.Generator], Node | list[Node]],
    rollout: Callable[[State, RolloutPolicy, np.random.Generator], tuple[float, float]],
    backpropagate: Callable[[Node, tuple[float, float]], None],
) -> Callable[..., Node]:
    """A search made from four functions in the form of their exercises: `search(state, 400, rng)`.

    `expand` can also return a list with one node, as `search.expand` does. The selection rule is
    UCB1, and rollouts are random. Called with `trace=search.Trace()`, it records itself.
    """

    def expand_to_list(node: Node, rng: np.random.Generator) -> list[Node]:
        found = expand(node, rng)
        return found if isinstance(found, list) else [found]

    def simulate(leaf: Node, evaluator: object, rng: np.random.Generator) -> tuple[float, float]:
        assert isinstance(evaluator, RolloutEvaluator)
        return rollout(leaf.state, evaluator.policy, rng)

    def assembled(
        state: State, num_simulations: int, rng: np.random.Generator, trace: Trace | None = None
    ) -> Node:
        own = Phases(select, expand_to_list, simulate, backpropagate)
        root, rule, evaluator = Node(state), ucb1(), RolloutEvaluator()
        if trace is not None:
            trace.start(root)
            own = recorded(own, trace)
        for _ in range(num_simulations):
            [leaf] = own.expand(own.select(root, rule), rng)
            own.backpropagate(leaf, own.simulate(leaf, evaluator, rng))
        return root

    return assembled
