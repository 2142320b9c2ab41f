"""The short names of players, such as `uct:2s:roxanne`: a table with a row for each kind."""

import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab.games.state import Rng, as_generator
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

_NET_SIMULATIONS: Final = 400
_NET_BATCH: Final = 8
_OWN_SEARCH: Final = "mctslab.course.keeping.parts"
"""Rooms above this one are not imported here: what a player needs of them is looked up by name."""


def make(name: str, *, rng: Rng) -> Player:
    """The player with the short name `name`.

    For example, `uct:1000` runs 1,000 simulations a move, `uct:2s` searches for two seconds, and
    `uct:2s:roxanne` plays its rollouts by the Roxanne policy. The error for an unknown name lists
    all forms of names, which docs/players.md explains.

    Raises:
        ValueError: no such player, no such book (BookError), no such net, or no search of your
            own.
        OSError: the file of a net is not there.
        ModuleNotFoundError: the player needs PyTorch, which is missing.
    """
    for form, make_player in KINDS.items():
        if found := re.fullmatch(_pattern(form), name):
            words = ((WORDS[word], text) for word, text in found.groupdict().items() if text)
            given = {word.argument: word.meaning(text) for word, text in words}
            return make_player(name=name, rng=as_generator(rng), **given)
    *about, options = (f"{each} {word.about}" for each, word in WORDS.items() if word.about)
    raise ValueError(
        f"There is no player {name!r}. Known are {', '.join(KINDS)}, where {', '.join(about)}, "
        f"and {options}."
    )


def _pattern(form: str) -> str:
    """The regular expression of a form, with a group for each of its words in capitals."""
    optional = form.replace("+", r"\+").replace("[", "(?:").replace("]", ")?")
    either = optional.replace("BUDGET", "(?:SIMULATIONS|TIME)")
    return re.sub("[A-Z]+", lambda word: f"(?P<{word[0]}>{WORDS[word[0]].pattern})", either)


# The kinds of players


def _of_policy(*, name: str, rng: np.random.Generator) -> Player:
    return PolicyPlayer(name, policies()[name], rng=rng)


def _guided(
    *,
    evaluator: Evaluator = rollout_evaluator(),
    options: Sequence[str] = (),
    name: str,
    **others: Any,
) -> Player:
    """A search by PUCT, with the options in its name."""
    player = PUCTPlayer(
        evaluator=evaluator,
        selection=puct(fpu="parent") if "parent" in options else puct(),
        solver="solver" in options,
        reuse_tree="reuse" in options,
        name=name,
        **others,
    )
    return EndgamePlayer(player, name=name) if "endgame" in options else player


def _with_net(*, net: str, **others: Any) -> Player:
    from mctslab.net import load  # loads PyTorch, which takes a second and can be missing

    budget = {} if "seconds" in others else {"num_simulations": _NET_SIMULATIONS}
    return _guided(evaluator=load(net), batch_size=_NET_BATCH, **budget | others)


def _own(*, num_simulations: int, digest: str = "", name: str, rng: np.random.Generator) -> Player:
    search, now = pkgutil.resolve_name(f"{_OWN_SEARCH}:own_search")()
    exact_name = f"mine:{num_simulations}:{now}"
    if digest not in ("", now):
        raise ValueError(f"{name!r} is not your search as it is stored now, {exact_name!r}.")
    return FunctionPlayer(search, num_simulations, rng=rng, name=exact_name)


def has_own_search() -> bool:
    """Whether the user has a search of their own, for `mine:400`."""
    found: bool = pkgutil.resolve_name(f"{_OWN_SEARCH}:has_own_search")()
    return found


def _with_book(*, path: str, inner: str, name: str, rng: np.random.Generator) -> Player:
    return BookPlayer(path, make(inner, rng=rng), name=name)


KINDS: Final[Mapping[str, Callable[..., Player]]] = MappingProxyType(
    {
        **dict.fromkeys(policies(), _of_policy),
        "flat:BUDGET[:ROLLOUT]": FlatPlayer,
        "uct:BUDGET[:ROLLOUT]": UCTPlayer,
        "uct+solver:BUDGET[:ROLLOUT]": partial(UCTPlayer, solver=True),
        "puct[OPTIONS]:BUDGET[:EVALUATOR]": _guided,
        "alphabeta:DEPTH": AlphaBetaPlayer,
        "alphabeta:TIME": AlphaBetaPlayer,
        "net[OPTIONS]:NET[:BUDGET]": _with_net,
        "mine:SIMULATIONS[:DIGEST]": _own,
        "book:FILE:PLAYER": _with_book,
    }
)
"""The form of a kind's names, and what makes its players, called with `name`, `rng` and the meaning
of each word in the name. In a form, `WORDS` explains what is in capitals, and what is in brackets
can be left out. docs/players.md has a line for each form."""

# The words in their names


class Word(NamedTuple):
    """What can be in a name where its form has a word in capitals."""

    about: str
    """The rest of a sentence that begins with the word; empty where the word says enough."""
    pattern: str = ""
    """A regular expression by which every player has only one name: 1_000 is not a number."""
    argument: str = ""
    """The argument of the function in `KINDS` that it determines."""
    meaning: Callable[[str], Any] = str
    """The value of that argument."""


def _one_of(argument: str, choices: Mapping[str, object]) -> Word:
    """A word that stands for one of several objects, each with a name."""
    names = ", ".join(choices), "|".join(choices)
    return Word(f"one of {names[0]}", names[1], argument, choices.__getitem__)


_NUMBER: Final = "0|[1-9][0-9]*"
_OPTIONS: Final = ("endgame", "parent", "reuse", "solver")
_NONE_TWICE: Final = "".join(rf"(?![+a-z]*\+{each}[+a-z]*\+{each})" for each in _OPTIONS)

_EVALUATORS: Final = MappingProxyType(
    {
        "rollout": rollout_evaluator(),
        "uniform": uniform_evaluator(),
        "roxanne": with_priors(rollout_evaluator(roxanne()), roxanne_prior),
        "threats": with_priors(rollout_evaluator(), gomoku_prior),
        "static": threat_evaluator(),
    }
)

WORDS: Final = MappingProxyType(
    {
        "BUDGET": Word("is a number of SIMULATIONS (1000) or a TIME (2s)"),
        "SIMULATIONS": Word("", _NUMBER, "num_simulations", int),
        "TIME": Word("", r"[0-9]*\.?[0-9]+s", "seconds", lambda text: float(text[:-1])),
        "ROLLOUT": _one_of("policy", rollout_policies()),
        "EVALUATOR": _one_of("evaluator", _EVALUATORS),
        "DEPTH": Word("a number of plies (4)", _NUMBER, "depth", int),
        # A colon and a number or a time at the end is not part of the net's name.
        "NET": Word("", r"(?:(?!:(?:\d+|\d*\.?\d+s)$).)+", "net"),
        # A colon ends the file's name, except after the letter of a drive: `C:\opening.sqlite`.
        "FILE": Word("", r"(?:[A-Za-z]:(?=[\\/]))?[^:]+", "path"),
        "PLAYER": Word("", ".+", "inner"),
        "DIGEST": Word("distinguishes versions of your search", "[0-9a-f]{12}", "digest"),
        "OPTIONS": Word(
            f"are none, one or more of {', '.join(f'+{each}' for each in _OPTIONS)}",
            rf"{_NONE_TWICE}(?:\+(?:{'|'.join(_OPTIONS)}))+",
            "options",
            lambda text: text[1:].split("+"),
        ),
    }
)
