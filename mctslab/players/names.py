"""The short names of players, such as `uct:2s:roxanne`."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np

from mctslab.players.alphabeta import AlphaBetaPlayer
from mctslab.players.book import BookPlayer
from mctslab.players.gomocup import SECONDS, GomocupPlayer
from mctslab.players.guided import PUCTPlayer
from mctslab.players.player import Player, PolicyPlayer
from mctslab.players.searching import FlatPlayer, UCTPlayer
from mctslab.search.evaluators import (
    Evaluator,
    rollout_evaluator,
    uniform_evaluator,
    with_priors,
)
from mctslab.search.gomoku_prior import gomoku_prior
from mctslab.search.policies import policies
from mctslab.search.reversi_prior import roxanne_prior
from mctslab.search.rollouts import by_name, roxanne
from mctslab.search.selection import puct
from mctslab.search.threat_evaluator import threat_evaluator

_BOOK: Final = re.compile(r"book:(?P<file>([A-Za-z]:(?=[\\/]))?[^:]+):(?P<player>.+)")
"""A colon ends the file's name, but for one after the letter of a drive: `C:\\opening.sqlite`."""

_GOMOCUP: Final = re.compile(r"gomocup:((?P<seconds>\d+(\.\d+)?)s:)?(?P<command>.*\S.*)")
"""What follows the time, colons and all, is the command."""

_OPTIONS: Final = ("parent", "reuse", "solver")
"""What may follow `puct` and `net`, each with a `+`, in any order."""

_NET: Final = re.compile(r"net(?P<options>(\+\w+)*):(?P<net>.+?)(:(?P<budget>\d+|\d*\.?\d+s))?")
"""A number or a time at the end is the budget, whatever colons stand before it."""
_NET_SIMULATIONS: Final = "400"
_NET_BATCH: Final = 8


def known() -> tuple[str, ...]:
    """The short names that `make` understands; what stands in brackets can be left out."""
    return (
        *policies(),
        "flat:BUDGET[:ROLLOUT]",
        "uct:BUDGET[:ROLLOUT]",
        "uct+solver:BUDGET[:ROLLOUT]",
        "puct[OPTIONS]:BUDGET[:EVALUATOR]",
        "alphabeta:DEPTH",
        "alphabeta:TIME",
        "net[OPTIONS]:NET[:BUDGET]",
        "book:FILE:PLAYER",
        "gomocup:[TIME:]COMMAND",
    )


def make(name: str, *, rng: np.random.Generator) -> Player:
    """The player with the short name `name`.

    `random` plays without search, and so do, for Reversi, `greedy` (most discs), `roxanne` and
    `roxanne5` (nine and five classes of squares), and for Gomoku `heuristic` (fives, fours and
    threes, made and prevented). `uct:1000` searches with 1,000 simulations a move, `uct:2s` for two
    seconds; `uct:2s:roxanne` plays its rollouts by the Roxanne policy. `uct+solver:1000` does the
    same by MCTS-Solver, and plays at once what is proven. `flat:1000` shares 1,000 rollouts out
    over the moves, without a tree. `puct:1000` searches by PUCT, with a rollout for an evaluator;
    `puct:1000:threats` is guided by what the moves of Gomoku threaten, and `puct:1000:static` also
    judges positions by their threats, without rollouts. `alphabeta:4` looks four plies ahead by
    alpha-beta, `alphabeta:2s` as far as it comes in two seconds.

    `net:NET:400` searches by PUCT with a net for an evaluator; NET is the name of one that comes
    with mctslab, or its file, such as the `checkpoint.safetensors` of a training run.

    `puct` and `net` have options, one or more. `puct+solver:1000:static` carries proofs up its
    tree, as `uct+solver` does, and overlooks no move that wins at once; `net+reuse:NET:400` keeps
    what it has found out about the positions to come; to `net+parent:NET:400` a move that was never
    tried is worth what its position is, and not 0, a draw: so in a bad position it does not try
    everything. `net+parent+reuse:NET:400` does both.

    `book:FILE:PLAYER` looks into the opening book FILE, and asks PLAYER where that knows nothing.

    `gomocup:COMMAND` is another program, an engine that speaks the protocol of Gomocup and plays
    Gomoku; `gomocup:2s:COMMAND` gives it two seconds a move. COMMAND is its path, and arguments may
    follow: `gomocup:2s:python -m mctslab gomocup --player uct:1s`.

    Raises:
        ValueError: no such player, no such book (BookError), no such net, or no such program.
        OSError: the file of a net is not there.
        ModuleNotFoundError: a net was asked for, and PyTorch is missing.
    """
    if in_book := _BOOK.fullmatch(name):
        return BookPlayer(in_book["file"], make(in_book["player"], rng=rng), name=name)
    if engine := _GOMOCUP.fullmatch(name):
        return GomocupPlayer(engine["command"], float(engine["seconds"] or SECONDS), name=name)
    if with_net := _NET.fullmatch(name):
        budget = with_net["budget"] or _NET_SIMULATIONS
        options = with_net["options"].split("+")[1:]
        return _net_player(name, options, with_net["net"], budget, rng)
    kind, *words = name.split(":")
    if kind in policies() and not words:
        return PolicyPlayer(name, policies()[kind], rng=rng)
    if kind in _searching() and 1 <= len(words) <= 2:
        num_simulations, seconds = _parse_budget(name, words[0])
        policy = by_name().get(words[1] if len(words) > 1 else "uniform")
        if policy is not None:
            player = _searching()[kind]
            return player(num_simulations, seconds, policy=policy, rng=rng, name=name)
    kind, *options = kind.split("+")
    if kind == "puct" and 1 <= len(words) <= 2:
        num_simulations, seconds = _parse_budget(name, words[0])
        evaluator = evaluators().get(words[1] if len(words) > 1 else "rollout")
        if evaluator is not None:
            player = _guided(name, options)
            return player(num_simulations, seconds, evaluator=evaluator, rng=rng)
    if kind == "alphabeta" and len(words) == 1 and not options:
        depth, seconds = _parse_budget(name, words[0])
        return AlphaBetaPlayer(depth, seconds=seconds, name=name)
    raise _unknown(name)


def _net_player(
    name: str, options: Sequence[str], net: str, budget: str, rng: np.random.Generator
) -> Player:
    from mctslab.net import load  # it loads PyTorch, which takes a second and may be missing

    player = _guided(name, options)
    num_simulations, seconds = _parse_budget(name, budget)
    return player(num_simulations, seconds, evaluator=load(net), batch_size=_NET_BATCH, rng=rng)


def _guided(name: str, options: Sequence[str]) -> Callable[..., Player]:
    """What makes the player `name`, which searches by PUCT, with what is in its name."""
    if not set(options) <= set(_OPTIONS) or len(set(options)) < len(options):
        raise _unknown(name)
    return partial(
        PUCTPlayer,
        selection=puct(fpu="parent") if "parent" in options else puct(),
        solver="solver" in options,
        reuse_tree="reuse" in options,
        name=name,
    )


def _searching() -> dict[str, Callable[..., Player]]:
    return {"flat": FlatPlayer, "uct": UCTPlayer, "uct+solver": partial(UCTPlayer, solver=True)}


def evaluators() -> dict[str, Evaluator]:
    """The evaluators of `puct`, by their short names."""
    return {
        "rollout": rollout_evaluator(),
        "uniform": uniform_evaluator(),
        "roxanne": with_priors(rollout_evaluator(roxanne()), roxanne_prior),
        "threats": with_priors(rollout_evaluator(), gomoku_prior),
        "static": threat_evaluator(),
    }


def _parse_budget(name: str, word: str) -> tuple[int | None, float | None]:
    """A word such as `1000` or `2s` as (number, seconds), of which one is None."""
    try:
        return (None, float(word[:-1])) if word.endswith("s") else (int(word), None)
    except ValueError:
        raise _unknown(name) from None


def _unknown(name: str) -> ValueError:
    return ValueError(
        f"There is no player {name!r}. Known are {', '.join(known())}, where BUDGET is a number of "
        f"simulations (1000) or a TIME (2s), ROLLOUT one of {', '.join(by_name())}, "
        f"EVALUATOR one of {', '.join(evaluators())}, DEPTH a number of plies (4), and OPTIONS are "
        f"none, one or more of {', '.join(f'+{option}' for option in _OPTIONS)}."
    )
