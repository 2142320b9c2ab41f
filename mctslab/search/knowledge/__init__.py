"""Knowledge about Reversi and Gomoku: evaluations, threats, priors and policies.

The search itself does not depend on it; it is passed to a search as an evaluator or as a rollout
policy.
"""

from mctslab.search.knowledge.reversi import frontier, region_of, stable_discs

__all__ = ["frontier", "region_of", "stable_discs"]
