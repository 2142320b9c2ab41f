"""The short names of players, such as `uct:2s:roxanne`."""

import pkgutil
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np

from mctslab.players.alphabeta import AlphaBetaPlayer
from mctslab.players.book import BookPlayer
from mctslab.players.endgame import EndgamePlayer
from mctslab.players.player import Player, PolicyPlayer
from mctslab.players.search_player import FlatPlayer, FunctionPlayer, PUCTPlayer, UCTPlayer
from mctslab.search.evaluators import Evaluator, rollout_evaluator, uniform_evaluator, with_priors
from mctslab.search.knowledge.gomoku import gomoku_prior, threat_evaluator
from mctslab.search.knowledge.policies import policies, rollout_policies
from mctslab.search.knowledge.roxanne import roxanne, roxanne_prior
from mctslab.search.selection import puct

_BOOK: Final = re.compile(r"(?P<file>([A-Za-z]:(?=[\\/]))?[^:]+):(?P<player>.+)")
"""A colon ends the name of the file, except after the letter of a drive: `C:\\opening.sqlite`."""

_BUDGET: Final = re.compile(r"0|[1-9][0-9]*|[0-9]*\.?[0-9]+s")
"""A number or a time; other ways to write it would make other names of the same player."""

_NET: Final = re.compile(r"(?P<net>.+?)(:(?P<budget>\d+|\d*\.?\d+s))?")
"""A number or a time at the end is the budget, whatever colons come before it."""

_OPTIONS: Final = ("endgame", "parent", "reuse", "solver")
"""What can follow `puct` and `net`, each with a `+`, in any order."""

_NET_SIMULATIONS: Final = "400"
_NET_BATCH: Final = 8
_OWN: Final = re.compile(r"(?P<number>0|[1-9][0-9]*)(:(?P<digest>[0-9a-f]{12}))?")

_OWN_SEARCH: Final = "mctslab.course.keeping.parts"
"""Rooms above this one are not imported here: what a player needs of them is looked up by name."""


def make(name: str, *, rng: np.random.Generator) -> Player:
    """The player with the short name `name`.

    Without search: `random`; for Reversi `greedy` (most discs), `roxanne` and `roxanne5` (nine and
    five classes of squares); for Gomoku `heuristic` (completes and prevents fives, fours and
    threes).

    With search: `uct:1000` runs 1,000 simulations a move, `uct:2s` searches for two seconds, and
    `uct:2s:roxanne` plays its rollouts by the Roxanne policy. `uct+solver:1000` is MCTS-Solver,
    which plays a proven best move at once. `flat:1000` divides 1,000 rollouts equally among the
    moves, without a tree. `puct:1000` searches by PUCT and evaluates leaves by a rollout;
    `puct:1000:threats` adds priors from the threats in Gomoku, and `puct:1000:static`
    evaluates positions by their threats, without rollouts. `alphabeta:4` looks four plies ahead by
    alpha-beta, `alphabeta:2s` as far as two seconds allow.

    `net:NET:400` searches by PUCT with a net as evaluator. NET is the name of a net that comes with
    mctslab, or a file, such as the `checkpoint.safetensors` of a training run.

    `puct` and `net` have options, one or more. `+solver` carries proofs up the tree, as in
    `uct+solver`, and never overlooks a move that wins at once. `+reuse` keeps the part of the tree
    that is about later positions. With `+parent` an untried move starts with its parent's value
    instead of 0, a draw, so that in a bad position the search does not try every move. With
    `+endgame` a solver plays the end of a game of Reversi or Connect Four, which takes up to a
    second a move: the last 16 or 28 empty squares. An example is `net+parent+reuse:NET:400`.

    `mine:400` plays by your own search, the function `uct` with which you passed the check of
    notebook 06. Its name ends with a digest of the source: `mine:400:DIGEST` is that search, as
    long as you have no other.

    `book:FILE:PLAYER` plays from the opening book FILE, and as PLAYER in positions that are not in
    it.

    Raises:
        ValueError: no such player, no such book (BookError), no such net, or no search of your
            own.
        OSError: the file of a net is not there.
        ModuleNotFoundError: the player needs PyTorch, which is missing.
    """
    if name in policies():
        return PolicyPlayer(name, policies()[name], rng=rng)
    kind, _, rest = name.partition(":")
    if kind == "book" and (found := _BOOK.fullmatch(rest)):
        return BookPlayer(found["file"], make(found["player"], rng=rng), name=name)
    if kind == "mine" and (found := _OWN.fullmatch(rest)):
        return _own(name, int(found["number"]), found["digest"], rng)
    base, *options = kind.split("+")
    if base == "net" and (found := _NET.fullmatch(rest)):
        return _with_net(name, options, found["net"], found["budget"] or _NET_SIMULATIONS, rng)
    budget, *words = rest.split(":")
    if kind == "alphabeta" and not words:
        depth, seconds = _budget(name, budget)
        return AlphaBetaPlayer(depth, seconds=seconds, name=name)
    searching: dict[str, Callable[..., Player]] = {
        "flat": FlatPlayer,
        "uct": UCTPlayer,
        "uct+solver": partial(UCTPlayer, solver=True),
    }
    policy = rollout_policies().get(words[0] if words else "uniform")
    if kind in searching and len(words) <= 1 and policy is not None:
        return searching[kind](*_budget(name, budget), policy=policy, rng=rng, name=name)
    evaluator = evaluators().get(words[0] if words else "rollout")
    if base == "puct" and len(words) <= 1 and evaluator is not None:
        return _guided(name, options)(*_budget(name, budget), evaluator=evaluator, rng=rng)
    raise _unknown(name)


def _with_net(
    name: str, options: Sequence[str], net: str, budget: str, rng: np.random.Generator
) -> Player:
    from mctslab.net import load  # loads PyTorch, which takes a second and can be missing

    player = _guided(name, options)
    return player(*_budget(name, budget), evaluator=load(net), batch_size=_NET_BATCH, rng=rng)


def _guided(name: str, options: Sequence[str]) -> Callable[..., Player]:
    """Makes players that search by PUCT with these options."""
    if not set(options) <= set(_OPTIONS) or len(set(options)) < len(options):
        raise _unknown(name)
    searching = partial(
        PUCTPlayer,
        selection=puct(fpu="parent") if "parent" in options else puct(),
        solver="solver" in options,
        reuse_tree="reuse" in options,
        name=name,
    )
    if "endgame" not in options:
        return searching
    return lambda *budget, **search: EndgamePlayer(searching(*budget, **search), name=name)


def has_own_search() -> bool:
    """Whether the user has a search of their own, for `mine:400`."""
    found: bool = pkgutil.resolve_name(f"{_OWN_SEARCH}:has_own_search")()
    return found


def _own(name: str, number: int, digest: str | None, rng: np.random.Generator) -> Player:
    search, now = pkgutil.resolve_name(f"{_OWN_SEARCH}:own_search")()
    exact_name = f"mine:{number}:{now}"
    if digest not in (None, now):
        raise ValueError(f"{name!r} is not your search as it is stored now, {exact_name!r}.")
    return FunctionPlayer(search, number, rng=rng, name=exact_name)


def evaluators() -> dict[str, Evaluator]:
    """The evaluators of `puct`, by their short names."""
    return {
        "rollout": rollout_evaluator(),
        "uniform": uniform_evaluator(),
        "roxanne": with_priors(rollout_evaluator(roxanne()), roxanne_prior),
        "threats": with_priors(rollout_evaluator(), gomoku_prior),
        "static": threat_evaluator(),
    }


def _budget(name: str, text: str) -> tuple[int | None, float | None]:
    """A text such as `1000` or `2s` as (number, seconds), of which one is None."""
    if not _BUDGET.fullmatch(text):
        raise _unknown(name)
    return (None, float(text[:-1])) if text.endswith("s") else (int(text), None)


def _unknown(name: str) -> ValueError:
    return ValueError(
        f"There is no player {name!r}. Known are {', '.join(policies())}, flat:BUDGET[:ROLLOUT], "
        "uct:BUDGET[:ROLLOUT], uct+solver:BUDGET[:ROLLOUT], puct[OPTIONS]:BUDGET[:EVALUATOR], "
        "alphabeta:DEPTH, alphabeta:TIME, net[OPTIONS]:NET[:BUDGET], mine:SIMULATIONS, "
        "book:FILE:PLAYER, where BUDGET is a number of simulations (1000) or "
        f"a TIME (2s), ROLLOUT one of {', '.join(rollout_policies())}, "
        f"EVALUATOR one of {', '.join(evaluators())}, DEPTH a number of plies (4), and OPTIONS are "
        f"none, one or more of {', '.join(f'+{option}' for option in _OPTIONS)}."
    )
