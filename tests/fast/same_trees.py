"""The compiled search beside the readable one, and two trees node for node."""

from typing import Any

import numpy as np

from mctslab import fast, games, search
from mctslab.games import State
from mctslab.games.rules import DRAWN, OPEN, WON, Position
from mctslab.games.tictactoe import has_line
from mctslab.search import Node, SearchResult
from tests.games.playing import random_game
from tests.search.judging import Judge
from tests.search.toys import facts


def both(
    name: str, state: State, seed: int, *, roots: Any = (None, None), **options: Any
) -> tuple[SearchResult, SearchResult]:
    """The results of the compiled search of that name and of the readable one: the same tree."""
    ours, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
    compiled = getattr(fast, name)(state, rng=ours, root=roots[0], **options)
    readable = getattr(search, name)(state, rng=theirs, root=roots[1], **options)
    assert compiled.note == ""
    assert difference(compiled.root, readable.root) == ""
    for fact in ("children", "num_simulations", "proven", "best_so_far", "principal_variation"):
        assert getattr(compiled, fact) == getattr(readable, fact)
    assert ours.bit_generator.state == theirs.bit_generator.state
    return compiled, readable


def difference(one: Node, other: Node) -> str:
    """What differs between two trees: order of children, visits, values, moves left; or nothing."""
    waiting = [((), one, other)]
    while waiting:
        path, first, second = waiting.pop()
        if facts(first) != facts(second):
            return f"at {path}: {facts(first)} and {facts(second)}"
        for left, right in zip(first.children, second.children, strict=True):
            waiting.append(((*path, left.action), left, right))
    return ""


def played(state: State, plies: int, rng: np.random.Generator) -> State:
    """The position after so many random moves, or the last one before the end."""
    *line, _ = random_game(state, rng)
    return line[: plies + 1][-1]


# Searches by PUCT


def drawn(states: Any, rng: np.random.Generator) -> search.Evaluation:
    """Values that draw on chance, and do not add up to nothing."""
    return search.Evaluation([(rng.random(), -rng.random()) for _ in states])


BY_PUCT: dict[str, dict[str, Any]] = {
    "rollouts": {"evaluator": search.rollout_evaluator()},
    "three rollouts, batches": {
        "evaluator": search.rollout_evaluator(num_rollouts=3), "batch_size": 8,
    },
    "uniform, batches, noise": {
        "evaluator": search.uniform_evaluator(), "batch_size": 5,
        "noise": search.DirichletNoise(0.3, 0.5),
    },
    "priors in Python, batches, noise": {
        "evaluator": search.with_priors(search.rollout_evaluator(), Judge().priors),
        "batch_size": 8,
        "noise": search.DirichletNoise(), "selection": search.puct(2, fpu="parent"),
    },
    "everything in Python": {
        "evaluator": search.with_priors(drawn, Judge().priors), "batch_size": 16,
        "selection": search.puct(0.7, fpu=-1),
    },
}  # fmt: skip


# A game for proofs


def misere_outcome(position: Position, moves: int, geometry: None) -> int:
    """Won if the player who has just moved has a line: nobody wants one."""
    if has_line(position[1]):
        return WON
    return OPEN if moves else DRAWN


class MisereTicTacToe(games.TicTacToe):
    """A game in which a move can lose at once, while others have not been tried yet."""

    __slots__ = ()
    rules = games.TicTacToe.rules._replace(outcome=misere_outcome)
