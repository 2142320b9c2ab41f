"""The policies that play without a search, by their short names."""

from mctslab.search.evaluators import RolloutPolicy, uniform
from mctslab.search.knowledge.gomoku import heuristic
from mctslab.search.knowledge.roxanne import FIVE_CLASSES, greedy, roxanne


def rollout_policies() -> dict[str, RolloutPolicy]:
    """The policies that are good for rollouts, by name."""
    return {"uniform": uniform, "roxanne": roxanne(), "roxanne5": roxanne(FIVE_CLASSES)}


def policies() -> dict[str, RolloutPolicy]:
    """Every policy by its short name; `greedy` and `heuristic` play one game only."""
    rollouts = rollout_policies()
    return {"random": rollouts.pop("uniform"), "greedy": greedy, **rollouts, "heuristic": heuristic}
