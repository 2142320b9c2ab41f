"""What an arena panel shows of a match or a tournament, as plain data for the page."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from mctslab.arena import Estimate, MatchResult, PlayedGame, Reason, Tournament, in_seconds
from mctslab.games.state import State
from mctslab.widgets.wording import disc_counts, verdict

Result: TypeAlias = MatchResult | Tournament

_LOST_BY: Final = (
    (Reason.TIME, "by time"),
    (Reason.ILLEGAL, "by an illegal move"),
    (Reason.EXCEPTION, "by an exception"),
    (Reason.CRASH, "by a crash"),
)


def title(names: Sequence[str]) -> str:
    """Who plays: `a against b`, or `4 players, each against every other`."""
    if len(names) == 2:
        return f"{names[0]} against {names[1]}"
    return f"{len(names)} players, each against every other"


# How strong


def score_data(result: Result) -> dict[str, Any]:
    """The running score of a match with its intervals; empty for a tournament."""
    if isinstance(result, Tournament):
        return {}
    score = result.score
    names = result.first_state.player_names
    halves = [
        f"{half.rate.value:.3f} as {names[player]}"
        for player in (0, 1)
        if (half := result.score_as(player)).num_games
    ]
    return {
        "name": result.names[0],
        "num_games": score.num_games,
        "rate": list(score.rate),
        "score": _figure(score.rate, ".3f"),
        "elo": _figure(score.elo, "+.0f"),
        "points": f"{score.wins} · {score.draws} · {score.losses}",
        "halves": ", ".join(halves),
        "test": _test_data(result),
    }


def _figure(estimate: Estimate, how: str) -> list[str]:
    """A number, and its interval in words."""
    value, low, high = (_signed(number, how) for number in estimate)
    return [value, f"{low} to {high}"]


def _signed(number: float, how: str) -> str:
    if math.isinf(number):
        return "+∞" if number > 0 else "−∞"
    return f"{number:{how}}".replace("-", "−")


def _test_data(result: MatchResult) -> dict[str, Any] | None:
    sprt = result.sprt
    if sprt is None:
        return None
    low, high = sprt.bounds
    question = f"Elo {_in_elo(sprt.elo0)} or {_in_elo(sprt.elo1)}?"
    return {
        "ratio": result.log_likelihood_ratio,
        "low": low,
        "high": high,
        "text": _signed(result.log_likelihood_ratio, "+.2f"),
        "bounds": f"{_signed(low, '.2f')} to {_signed(high, '.2f')}",
        "question": question if result.decision is None else _decided(result),
    }


def _decided(result: MatchResult) -> str:
    assert result.sprt is not None
    elo = result.sprt.elo0 if result.decision == "H0" else result.sprt.elo1
    return f"Elo {_in_elo(elo)} is accepted"


def _in_elo(difference: float) -> str:
    return _signed(difference, "+g") if difference else "0"


def end_in_words(result: Result) -> str:
    """Why no games are left to play."""
    if isinstance(result, MatchResult) and result.decision is not None:
        return f"Decided after {len(result.games)} games: {_decided(result)}"
    return f"All {len(result.games)} games have been played"


def standings_data(result: Result) -> dict[str, Any]:
    """The table of a tournament, best first; empty for a match, and before the first game."""
    if isinstance(result, MatchResult) or not result.games:
        return {}
    table = result.cross_table()
    rows = [list(row) for row in table.rows()]
    for row in rows:
        row[-2:] = [cell.replace("-", "−") for cell in row[-2:]]  # the ratings
    return {"head": list(table.head()), "rows": rows}


# How it was played


def players_data(result: Result) -> dict[str, Any]:
    """A row for each player: time per move and in total, work per move, how games were lost.

    Columns that would be empty are left out; empty before the first game.
    """
    if not result.games:
        return {}
    costs = [result.cost(name) for name in result.names]
    losses = [result.losses_by(name) for name in result.names]
    columns: list[tuple[str, list[str]]] = [
        ("time a move", [in_seconds(cost.seconds_per_move) for cost in costs]),
        ("in total", [in_seconds(cost.seconds) for cost in costs]),
    ]
    if any(cost.simulations for cost in costs):
        columns.append(
            ("simulations a move", [_count(cost.simulations_per_move) for cost in costs])
        )
    if any(cost.nodes for cost in costs):
        columns.append(("nodes a move", [_count(cost.nodes_per_move) for cost in costs]))
    columns.append(("lost by the rules", [str(lost[Reason.RULES]) for lost in losses]))
    for reason, words in _LOST_BY:
        if any(lost[reason] for lost in losses):
            columns.append((words, [str(lost[reason]) for lost in losses]))
    return {
        "head": ["player", *(head for head, _ in columns)],
        "rows": [
            [name, *(cells[place] for _, cells in columns)]
            for place, name in enumerate(result.names)
        ],
    }


def _count(number: float) -> str:
    return f"{number:,.0f}" if number else "–"


# The games


def key_of(game: PlayedGame) -> str:
    """The name of a game in messages between the page and the kernel: `0-1-12`.

    It stays the same when other games are inserted before it.
    """
    return "-".join(map(str, (*game.pairing, game.number)))


def game_list(result: Result) -> list[list[str]]:
    """[key, label] of each game: `12. uct:400 – random   1–0`."""
    return [[key_of(game), _label(game)] for game in result.games]


def _label(game: PlayedGame) -> str:
    first, second = game.players
    points = {1.0: "1–0", 0.0: "½–½", -1.0: "0–1"}[game.returns[0]]
    why = "" if game.reason is Reason.RULES else f", {dict(_LOST_BY)[game.reason]}"
    return f"{game.number}. {first} – {second}\N{EM SPACE}{points}{why}"


def replay_title(game: PlayedGame, names: tuple[str, str]) -> str:
    """Which player played which side."""
    sides = (f"{side}: {player}" for side, player in zip(names, game.players, strict=True))
    return f"Game {game.number}. {', '.join(sides)}"


def replay_end(game: PlayedGame, last_state: State) -> str:
    """How a game ended: `Black wins, 40 to 24`."""
    names = last_state.player_names
    if game.reason is not Reason.RULES:
        loser = game.returns.index(min(game.returns))
        return f"{names[loser]} lost {dict(_LOST_BY)[game.reason]}: {game.message}"
    counts = disc_counts(last_state) if any(game.returns) else None
    score = f", {counts[0]} to {counts[1]}" if counts else ""
    return verdict(game.returns, names) + score


def moves_in_words(game: PlayedGame, first_state: State) -> Iterator[str]:
    """For each position of a game, from the first one on, the move that led there."""
    yield "The position at which the game began"
    before = game.states(first_state)
    for ply, action in enumerate(game.actions, start=1):
        state = before[ply - 1]
        who, notation = state.player_names[state.current_player], state.action_to_string(action)
        how = ", at random" if ply <= game.opening_plies else ""
        yield f"{ply}. {who} played {notation}{how}"


# Charts


def charts(result: Result) -> list[str]:
    """The score as the games went on, or the cross table and the ratings, as SVG."""
    if not result.games:
        return []
    from mctslab.draw import strength  # it loads Matplotlib, which is large

    if isinstance(result, MatchResult):
        return [strength.running_score({title(result.names): result.running_score()}).svg]
    table = result.cross_table()
    return [
        strength.cross_table(table.ranked_names, table.rates).svg,
        strength.elo_bars(result.names, result.ratings().elo).svg,
    ]
