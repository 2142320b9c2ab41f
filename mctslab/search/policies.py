"""All policies that play without a search, by name: good ones for rollouts, and others."""

from mctslab.search.gomoku_prior import heuristic
from mctslab.search.rollouts import RolloutPolicy, by_name, greedy


def policies() -> dict[str, RolloutPolicy]:
    """Every policy by its short name; `greedy` and `heuristic` play one game only."""
    rollouts = by_name()
    return {"random": rollouts.pop("uniform"), "greedy": greedy, **rollouts, "heuristic": heuristic}
