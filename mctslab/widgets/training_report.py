"""What the training panel shows of a run: figures, sentences and curves, from the lines of its log.

A line is a mapping with the names of `mctslab.net.training.Iteration`; a number that is not
available is None or missing.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from mctslab.draw.cards import number
from mctslab.games.state import State
from mctslab.widgets.records import verdict

if TYPE_CHECKING:
    from mctslab.draw.curves import Chart
    from mctslab.draw.training import Scored
    from mctslab.net import Measurement
    from mctslab.net.reference import Reference

Line: TypeAlias = Mapping[str, Any]


# Figures


def figures(log: Sequence[Line], strength: "Sequence[Measurement]") -> list[list[str]]:
    """[label, value, remark] of the most important numbers; none before the first iteration."""
    if not log:
        return []
    newest = log[-1]
    rows = [
        ["Loss of the value", _decimal(newest, "value_loss"), "1: no knowledge, 0: perfect"],
        [
            "Loss of the policy",
            _decimal(newest, "policy_loss"),
            f"at best the entropy of its target, {_decimal(newest, 'policy_entropy')}",
        ],
        [
            "Games",
            f"{_decimal(newest, 'game_length', 1)} plies",
            f"the first player scores {_decimal(newest, 'first_player_score')}",
        ],
        ["Positions played", f"{newest['num_positions']:,}", _speed(log)],
    ]
    return rows + [_strength_row(name, each) for name, each in _newest(strength).items()]


def _strength_row(opponent: str, measured: "Measurement") -> list[str]:
    rate = measured.score.rate
    elo, low, high = (number(each, ".0f") for each in measured.score.elo)
    remark = (
        f"{rate.low:.2f} to {rate.high:.2f} · Elo {elo} ({low} to {high}), "
        f"iteration {measured.iteration}"
    )
    return [f"Score against {opponent}", f"{rate.value:.2f}", remark]


def _newest(strength: "Iterable[Measurement]") -> "dict[str, Measurement]":
    """The last measurement against each opponent."""
    return {each.opponent: each for each in strength}


def _speed(log: Sequence[Line]) -> str:
    """Positions and games a second in the newest iteration."""
    newest, before = log[-1], log[-2]["num_positions"] if len(log) > 1 else 0
    seconds = newest.get("seconds")
    if not seconds:
        return ""
    positions = (newest["num_positions"] - before) / seconds
    return f"{positions:,.0f} positions and {newest['num_games'] / seconds:.1f} games a second"


def _decimal(line: Line, name: str, digits: int = 2) -> str:
    value = line.get(name)
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.{digits}f}"


# Curves


def curves(
    log: Sequence[Line],
    strength: "Sequence[Measurement]",
    num_iterations: int,
    reference: "Reference | None",
) -> "list[Chart]":
    """The curves of a run, in front of those of the runs to compare with."""
    from mctslab.draw.training import Curves, training_curves  # it loads Matplotlib

    others = [Curves(run.log, _scores(run.strength)) for run in reference.runs] if reference else []
    own = Curves(log, _scores(strength))
    return training_curves(own, num_iterations=num_iterations, reference=others)


def _scores(strength: "Iterable[Measurement]") -> "dict[str, list[Scored]]":
    from mctslab.draw.training import Scored

    found: dict[str, list[Scored]] = {}
    for each in strength:
        scored = Scored(each.iteration, *each.score.rate)
        found.setdefault(each.opponent, []).append(scored)
    return found


# Sentences


def reached(num_done: int, num_iterations: int) -> str:
    """`12 of 60 iterations`."""
    return f"{num_done} of {num_iterations} iterations"


def found(folder: str, num_done: int, num_iterations: int, is_done: bool) -> str:
    """A sentence about the run in a folder, or about the curves if there is none yet."""
    if not num_done:
        return "Curves of the losses, the games and the strength appear after the first iteration."
    what = f"{folder} holds a run of {reached(num_done, num_iterations)}"
    if is_done:
        return f"{what}, which is finished."
    return f"{what}. Resume continues it exactly as if it had never been stopped."


def other_settings(names: Sequence[str]) -> str:
    """Why the bands may not fit."""
    if not names:
        return ""
    return (
        f"The runs behind the curves had other settings ({', '.join(names)}): don't expect the "
        "curves to lie in the bands."
    )


def problem(error: Exception) -> str:
    """Sentences that say what went wrong, and that nothing is lost."""
    if isinstance(error, OSError) and error.strerror:
        where = f" ({error.filename})" if error.filename else ""
        return (
            f"The run can't be kept: {error.strerror}{where}. All iterations before this one are "
            "in the folder. When that is mended, Resume goes on from there."
        )
    is_sentence = isinstance(error, ValueError | OSError | RuntimeError) and str(error)
    return str(error) if is_sentence else f"{type(error).__name__}: {error}"


# The sample game


@dataclass(frozen=True, slots=True)
class Replay:
    """A game to be stepped through on the board."""

    key: str
    title: str
    states: Sequence[State]
    moves: Sequence[str]
    """For each state, the move that led there in words."""
    end: str
    """How it ended; shown with the last state."""


def sample_game(first_state: State, actions: Iterable[int], iteration: int) -> Replay:
    """A game of an iteration, with its moves in words."""
    states, moves = [first_state], ["The position at which the game began"]
    for ply, action in enumerate(actions, start=1):
        before = states[-1]
        name = before.player_names[before.current_player]
        moves.append(f"{ply}. {name} played {before.action_to_string(action)}")
        states.append(before.child(action))
    last = states[-1]
    return Replay(
        str(iteration),
        f"The newest game of iteration {iteration}: the net plays both sides",
        states,
        moves,
        verdict(last.returns(), last.player_names) if last.is_terminal else "",
    )
