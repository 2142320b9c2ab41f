"""Notebook 13, self-play: the targets of a game, how moves are drawn, and the promotion gate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab.course.checking.comparing import Shares, Words, same, tally
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, mistakes_in
from mctslab.course.tree_game import Place, TreeGame, drawn, turn_of, won_by
from mctslab.games.state import State

# self_play_targets

Visits: TypeAlias = Mapping[int, int]
Target: TypeAlias = tuple[dict[int, float], float]


def line_of_play(players: Sequence[int], end: Place) -> list[State]:
    """The positions of a game in which these players moved, one after the other, by action 1."""
    place = end
    for player in reversed(players):
        place = turn_of(player, drawn(), place)
    positions: list[State] = [TreeGame(place)]
    for _ in players:
        positions.append(positions[-1].child(1))
    return positions


def who_moves(players: Sequence[int]) -> str:
    """The players to move, one position after the other, in words."""
    if len(players) == 1:
        return f"player {players[0]} moves once"
    return f"players {', '.join(map(str, players))} move in this order"


def _targets_case(
    players: Sequence[int], winner: int | None, visits: Sequence[Visits], *expected: Target
) -> Case:
    end = drawn() if winner is None else won_by(winner)

    def arguments() -> tuple[list[State], list[dict[int, int]]]:
        return line_of_play(players, end), [dict(each) for each in visits]

    result = "nobody wins" if winner is None else f"player {winner} wins"
    shown = f"self_play_targets(positions, visits), where {who_moves(players)} and {result}; "
    shown += f"visits = {[dict(each) for each in visits]}"
    return Case(arguments, [(dict(policy), value) for policy, value in expected], shown)


def _targets_cases() -> list[Case]:
    return [
        _targets_case((0,), 0, [{0: 1, 1: 3}], ({0: 0.25, 1: 0.75}, 1.0)),
        _targets_case(
            *((0, 1), 1, [{0: 2, 1: 2}, {0: 0, 1: 5}]),
            *(({0: 0.5, 1: 0.5}, -1.0), ({0: 0.0, 1: 1.0}, 1.0)),
        ),
        _targets_case(
            *((0, 1, 0), 0, [{0: 4, 1: 6}, {0: 1, 1: 1}, {0: 0, 1: 8}]),
            *(({0: 0.4, 1: 0.6}, 1.0), ({0: 0.5, 1: 0.5}, -1.0), ({0: 0.0, 1: 1.0}, 1.0)),
        ),
        _targets_case(
            *((0, 1), None, [{0: 1, 1: 4}, {0: 3, 1: 1}]),
            *(({0: 0.2, 1: 0.8}, 0.0), ({0: 0.75, 1: 0.25}, 0.0)),
        ),
        # A player had to pass, or moved twice.
        _targets_case(
            *((1, 0, 0), 1, [{0: 1, 1: 1}, {0: 1, 1: 9}, {0: 2, 1: 6}]),
            *(({0: 0.5, 1: 0.5}, 1.0), ({0: 0.1, 1: 0.9}, -1.0), ({0: 0.25, 1: 0.75}, -1.0)),
        ),
        _targets_case(
            *((0, 1, 1), 0, [{0: 3, 1: 5}, {0: 1, 1: 3}, {0: 1, 1: 1}]),
            *(({0: 0.375, 1: 0.625}, 1.0), ({0: 0.25, 1: 0.75}, -1.0), ({0: 0.5, 1: 0.5}, -1.0)),
        ),
    ]


def _targets_variation(rng: np.random.Generator) -> Case:
    players = [int(player) for player in rng.integers(0, 2, rng.integers(1, 20))]
    counts = [{0: int(n), 1: int(rng.integers(1, 20))} for n in rng.integers(0, 20, len(players))]
    case = _targets_case(players, (0, 1, None)[rng.integers(3)], counts)
    return replace(case, expected=FROM_MODEL)


@exercise(
    title="What a game teaches",
    cases=_targets_cases,
    variation=_targets_variation,
    hints=(
        "Every position except the last has two targets: the search's opinion of the moves, and "
        "the result of the game for the player who was to move there.",
        "The result of the game is `positions[-1].returns()`, a number for player 0 and one for "
        "player 1. A position's `current_player` shows which of them belongs to it.",
        "Loop over `zip(positions, visits)`, which leaves out the last position. The policy is "
        "`{a: n / total for a, n in counts.items()}`, the value `returns[state.current_player]`.",
    ),
    when_right="The package's `net.samples_of` does the same, with arrays.",
    mistakes=mistakes_in("""
        every value from player 0's point of view
            The net sees a position from the point of view of the player to move, and its value is
            for that player as well. Use `returns[state.current_player]`.
            returns[state.current_player] => returns[0]
        every value from the winner's point of view
            Then all positions of a decided game are won, and the net learns that whoever is to move
            wins. For the loser's positions the value is -1.
            returns[state.current_player] => max(returns)
        every value from the other player's point of view
            The value is for the player to move in that position, not for the one who has just
            moved.
            returns[state.current_player] => returns[1 - state.current_player]
        the sign flipped at every ply, from the first position on
            Turns don't have to alternate: a player can pass or move twice. Use each position's own
            player to move.
            - returns[state.current_player]
            + returns[positions[0].current_player] * (-1) ** len(targets)
        the sign flipped at every ply, from the end on
            The last mover does not always win, and turns don't have to alternate. Use each
            position's own player to move.
            - targets.append((policy, returns[state.current_player]))
            + sign = (-1) ** (len(visits) - 1 - len(targets))
            + targets.append((policy, sign * returns[positions[-2].current_player]))
        a draw counted as lost
            After a draw the returns are 0 for both players, and so is the value of every position.
            returns[state.current_player] => 1.0 if returns[state.current_player] > 0 else -1.0
        a loss counted as a draw
            A win is 1, a draw 0 and a loss -1: use the returns unchanged.
            returns[state.current_player] => max(returns[state.current_player], 0.0)
        a win rate instead of a return
            The net's value is from -1 to 1, like the returns.
            returns[state.current_player] => (1 + returns[state.current_player]) / 2
        the first position taken for player 0's, and every second one after it
            Games can begin with either player, and turns don't have to alternate. Use each
            position's own player to move.
            returns[state.current_player] => returns[len(targets) % 2]
        the value for the player to move one ply later
            The value belongs to the position before the move, and to the player who is to move
            there: `state.current_player`.
            returns[state.current_player] => returns[positions[len(targets) + 1].current_player]
        shares without their actions
            The policy is a dictionary that has the share of each action: `{action: count / total
            for action, count in counts.items()}`.
            - policy = {action: count / total for action, count in counts.items()}
            + policy = [count / total for count in counts.values()]
        a list of policies and a list of values
            The result is one list, which has a pair of policy and value for each position.
            return targets => return [policy for policy, _ in targets], [z for _, z in targets]
        the visits as they are
            The policy is a probability for each action: divide by the sum of the visits.
            count / total => float(count)
        the visits divided by the largest
            Probabilities sum to 1: divide by the sum of all visits.
            sum(counts => max(counts
        everything for the most visited move
            The search shows more than its favourite move: the visits of the others show how good it
            considers them.
            count / total => float(action == max(counts, key=counts.get))
        the policies late by one ply
            `visits[0]` belongs to `positions[0]`: it is what the search found there. Here each
            position gets the visits of the one before it.
            zip(positions, visits, => zip(positions, [visits[0], *visits[:-1]],
        a target for the end of the game as well
            At the end nobody is to move, and the rules determine who has won, so there is nothing
            to learn. Leave out the last position.
            - return targets
            + targets.append(({}, returns[positions[-1].current_player]))
            + return targets
    """),
)
def self_play_targets(
    positions: Sequence[State], visits: Sequence[Mapping[int, int]]
) -> list[tuple[dict[int, float], float]]:
    """The targets of a finished game: (policy, value) for each position but the last.

    `visits` holds for each of these the visits of its moves, by action. The policy is their shares
    of all visits, by action; the value is the result of the game for the player to move.
    """
    returns = positions[-1].returns()
    targets = []
    for state, counts in zip(positions, visits, strict=False):
        total = sum(counts.values())
        policy = {action: count / total for action, count in counts.items()}
        targets.append((policy, returns[state.current_player]))
    return targets


# play_move


_DRAWS: Final = 600
_SEED: Final = 13


def _over_many_draws(
    function: Callable[..., Any],
    visits: Visits,
    ply: int,
    temperature_plies: int,
    rng: np.random.Generator,
) -> object:
    moves = tally(function(dict(visits), ply, temperature_plies, rng) for _ in range(_DRAWS))
    first, again = (
        [
            function(dict(visits), ply, temperature_plies, np.random.default_rng(7))
            for _ in range(20)
        ]
        for _ in range(2)
    )
    return {
        "moves": moves,
        "with the same seed again": Words("the same" if same(first, again) else "others"),
    }


def _move_case(visits: Visits, ply: int, temperature_plies: int, **shares: float) -> Case:
    def arguments() -> tuple[Visits, int, int, np.random.Generator]:
        return dict(visits), ply, temperature_plies, np.random.default_rng(_SEED)

    expected = {
        "moves": Shares({int(action[1:]): share for action, share in shares.items()}),
        "with the same seed again": Words("the same"),
    }
    shown = f"play_move({dict(visits)}, ply={ply}, temperature_plies={temperature_plies}, rng), "
    return Case(arguments, expected, f"{shown}{_DRAWS} times", _over_many_draws)


def _move_cases() -> list[Case]:
    visits = {3: 10, 0: 60, 7: 30}
    drawn_ = {"a0": 0.6, "a3": 0.1, "a7": 0.3}
    return [
        _move_case(visits, 0, 4, **drawn_),
        _move_case(visits, 9, 4, a0=1.0),
        _move_case(visits, 3, 4, **drawn_),
        _move_case(visits, 4, 4, a0=1.0),
        _move_case(visits, 7, 8, **drawn_),
        _move_case({2: 5, 6: 0, 4: 15}, 1, 2, a2=0.25, a4=0.75),
        _move_case({2: 5, 6: 0, 4: 15}, 0, 0, a4=1.0),
        _move_case({8: 1, 1: 2}, 5, 30, a8=1 / 3, a1=2 / 3),
    ]


def _move_variation(rng: np.random.Generator) -> Case:
    """Nothing is left to chance: a late move, or an early one with a single move visited."""
    number, temperature_plies = int(rng.integers(1, 8)), int(rng.integers(0, 40))
    actions = rng.choice(225, number, replace=False).tolist()
    counts = (rng.permutation(number) * int(rng.integers(1, 50)) + 1).tolist()
    ply = temperature_plies + int(rng.integers(0, 3))
    if temperature_plies and rng.random() < 0.5:
        ply = int(rng.integers(0, temperature_plies))
        counts = [count if count == max(counts) else 0 for count in counts]
    visits = dict(zip(actions, counts, strict=True))
    shown = f"play_move({visits}, ply={ply}, temperature_plies={temperature_plies}, rng)"
    return Case(
        lambda: (dict(visits), ply, temperature_plies, np.random.default_rng(1)), FROM_MODEL, shown
    )


@exercise(
    title="Drawn first, then the best",
    cases=_move_cases,
    variation=_move_variation,
    hints=(
        "There are two cases, and `ply`, which is counted from 0, decides between them.",
        "A drawn move: `rng.choice(actions, p=shares)`, with the shares of the visits. The best "
        "one: `max(visits, key=visits.get)`.",
        "`if ply < temperature_plies:` draw with p = visits / sum, `else` the most visited.",
    ),
    when_right="The package does so in `net.self_play`; `temperature_plies` is a setting there.",
    mistakes=mistakes_in("""
        always the most visited move
            Then every game from the same position is the same, and the net sees nothing else. The
            first `temperature_plies` moves have to be drawn.
            - ...
            + return max(visits, key=lambda action: visits[action])
        always a drawn move
            From ply `temperature_plies` on, the most visited move is played: a late random blunder
            could flip the result, and with it all values of the game.
            - if ply >= temperature_plies:
            -     return max(visits, key=lambda action: visits[action])
        one drawn move too many
            Plies are counted from 0, so the last of `temperature_plies` drawn moves is at ply
            `temperature_plies - 1`. Write `<`, not `<=`.
            >= => >
        one drawn move too few
            Plies are counted from 0, and `temperature_plies` of them are drawn: `ply <
            temperature_plies`.
            temperature_plies: => temperature_plies - 1:
        the most visited first, and drawn later
            It is the other way round: variety in the opening, the best moves afterwards.
            >= => <
        each player's own moves counted
            A ply is a move of either player: `ply` counts both already.
            ply >= => ply // 2 >=
        all moves equally likely
            A uniform draw forgets what the search has found. The probability of a move is its share
            of the visits: `rng.choice(..., p=...)`.
            counts / counts.sum() => np.ones(len(counts)) / len(counts)
        all visited moves equally likely
            The probability of a move is its share of the visits; it is not enough that it has any.
            np.array(list(visits.values())) => np.array([count > 0 for count in visits.values()])
        the squares of the visits
            That is a temperature of one half. Temperature 1 uses the visits unchanged.
            np.array(list(visits.values())) => np.array(list(visits.values())) ** 2
        the square roots of the visits
            That is a temperature of 2. Temperature 1 uses the visits unchanged.
            np.array(list(visits.values())) => np.array(list(visits.values())) ** 0.5
        a softmax of the visits
            The visits are no logits. A move's probability is its share of all visits.
            np.array(list(visits.values())) => np.exp(np.array(list(visits.values())) / 10)
            or
            - counts = np.array(list(visits.values()))
            + numbers = np.array(list(visits.values()))
            + counts = np.exp(numbers - numbers.max())
            or
            - counts = np.array(list(visits.values()))
            + numbers = np.array(list(visits.values()))
            + counts = np.exp(numbers / numbers.sum())
        the number of visits instead of the action
            `max(visits.values())` is the largest number of visits. The action that has it is
            `max(visits, key=visits.get)`.
            max(visits, key=lambda action: visits[action]) => max(visits.values())
        one visit added to each
            A move that the search has never tried must not be played: its share is 0.
            np.array(list(visits.values())) => np.array(list(visits.values())) + 1
        the first move of the list instead of the best
            The keys of `visits` can be in any order. The best move has the most visits.
            max(visits, key=lambda action: visits[action]) => next(iter(visits))
        the index instead of the action
            `argmax` and `choice` over the counts return an index. The action is the key at that
            index.
            - max(visits, key=lambda action: visits[action])
            + list(visits.values()).index(max(visits.values()))
            rng.choice(list(visits) => rng.choice(len(visits)
        the largest action instead of the best
            `max(visits)` compares the actions, not their visits: `max(visits, key=visits.get)`.
            max(visits, key=lambda action: visits[action]) => max(visits)
    """),
)
def play_move(
    visits: Mapping[int, int], ply: int, temperature_plies: int, rng: np.random.Generator
) -> int:
    """The action that self-play chooses at `ply`, which is counted from 0.

    One of the first `temperature_plies` moves of a game is drawn, in proportion to its visits; from
    then on it is the most visited.
    """
    if ply >= temperature_plies:
        return max(visits, key=lambda action: visits[action])
    counts = np.array(list(visits.values()))
    return int(rng.choice(list(visits), p=counts / counts.sum()))


# promotion_gate

Play: TypeAlias = Callable[[str, str], float]


class Scripted:
    """A match whose results are known: the points of the player who moves first, game by game."""

    def __init__(self, candidate_first: Sequence[float], champion_first: Sequence[float]) -> None:
        self._points = {"candidate": list(candidate_first), "champion": list(champion_first)}
        self.num_played = {"candidate": 0, "champion": 0}

    def __call__(self, first: str, second: str) -> float:
        """Play a game; after the last result, the results start again from the beginning."""
        if {first, second} != {"candidate", "champion"}:
            raise ValueError(f"play({first!r}, {second!r}): the candidate plays the champion")
        points = self._points[first]
        number = self.num_played[first]
        self.num_played[first] += 1
        return points[number % len(points)]


def _gate(function: Callable[..., Any], *arguments: Any) -> object:
    _, _, play, *_ = arguments
    chosen = function(*arguments)
    return {
        "who goes on playing": chosen,
        "games with the candidate moving first": play.num_played["candidate"],
        "games with the champion moving first": play.num_played["champion"],
    }


def _gate_case(
    candidate_first: Sequence[float], champion_first: Sequence[float], threshold: float, who: str
) -> Case:
    half = len(candidate_first)

    def arguments() -> tuple[str, str, Scripted, int, float]:
        played = Scripted(candidate_first, champion_first)
        return "champion", "candidate", played, 2 * half, threshold

    expected = {
        "who goes on playing": who,
        "games with the candidate moving first": half,
        "games with the champion moving first": half,
    }
    shown = (
        f"promotion_gate('champion', 'candidate', play, {2 * half}, {threshold}), where the "
        f"candidate moving first gets {_points(candidate_first)}, and the champion moving first "
        f"gets {_points(champion_first)}"
    )
    return Case(arguments, expected, shown, _gate)


def _points(points: Sequence[float]) -> str:
    return " + ".join(f"{each:g}" for each in points)


def _gate_cases() -> list[Case]:
    return [
        _gate_case((1, 1), (0, 0), 0.55, "candidate"),
        _gate_case((0, 0), (1, 1), 0.55, "champion"),
        # The player who moves first wins: 2 of 4 points are less than 55%.
        _gate_case((1, 1), (1, 1), 0.55, "champion"),
        # 5.5 of 10 points are.
        _gate_case((1, 1, 1, 1, 0), (1, 1, 0.5, 1, 0), 0.55, "candidate"),
        # 3 of 6 draws and 3 wins of 6 games: 4.5 points, no loss.
        _gate_case((1, 0.5, 0.5), (0.5, 0, 0), 0.75, "candidate"),
        # One win and 9 draws: 5.5 of 10.
        _gate_case((1, 0.5, 0.5, 0.5, 0.5), (0.5,) * 5, 0.6, "champion"),
        _gate_case((0.5,) * 2, (0.5,) * 2, 0.55, "champion"),
        _gate_case((1, 0, 1), (1, 0, 1), 0.5, "candidate"),
        # It wins everything as second player, nothing as first.
        _gate_case((0, 0, 1), (0, 0, 0), 0.6, "candidate"),
        _gate_case((1, 1, 1), (1, 1, 0.5), 0.6, "champion"),
        # 12 of 22 points are 54.5%, which is less than 55%.
        _gate_case((1,) * 6 + (0,) * 5, (0,) * 6 + (1,) * 5, 0.55, "champion"),
    ]


def _gate_variation(rng: np.random.Generator) -> Case:
    as_first, as_second = rng.choice((0, 0.5, 1), (2, int(rng.integers(1, 20)))).tolist()
    share = (sum(as_first) + sum(1 - points for points in as_second)) / 2 / len(as_first)
    threshold = round(float(rng.uniform(0.3, 0.7)), 2) + 0.001
    return _gate_case(
        as_first, as_second, threshold, "candidate" if share >= threshold else "champion"
    )


@exercise(
    title="The promotion gate",
    cases=_gate_cases,
    variation=_gate_variation,
    hints=(
        "Half of the games are `play(candidate, champion)`, half `play(champion, candidate)`.",
        "`play` returns the points of the player named first. In a game that the champion begins,"
        " the candidate gets 1 minus that.",
        "`candidate if points / num_games >= threshold else champion`.",
    ),
    when_right="With 40 games, none of them drawn, and a threshold of 55%, a net that is no "
    "better passes in one match out of three: a gate is a filter, not a proof.",
    mistakes=mistakes_in("""
        the first player of each game always counted as the candidate
            `play` returns the points of the player who moves first. If that is the champion, the
            candidate gets the rest: `1 - play(champion, candidate)`.
            1 - play => play
        the candidate always moving first
            The player who moves first has an advantage, a large one in four in a row: the champion
            has to move first in half of the games.
            1 - play(champion, candidate) => play(candidate, champion)
        the champion always moving first
            The candidate has to move first in half of the games.
            += play(candidate, champion) => += 1 - play(champion, candidate)
        num_games games for each colour
            `num_games` is the number of all games: half of them for each colour.
            num_games // 2 => num_games
            points / num_games => points / (2 * num_games)
        the champion's points subtracted
            The share is the candidate's points divided by the number of games. In a game that the
            champion begins, the candidate gets `1 - play(champion, candidate)`.
            1 - play(champion, candidate) => -play(champion, candidate)
        true or false instead of a player
            Return the candidate itself or the champion itself, not whether the gate opens.
            - return candidate if points / num_games >= threshold else champion
            + return points / num_games >= threshold
        more than the threshold required
            A share equal to the threshold is enough.
            >= => >
        more than half of the points accepted
            The threshold is not used. It is needed because of luck: when two nets are equal, one of
            them still has more points in nearly every match.
            >= threshold => > 0.5
        the points compared with the threshold
            The threshold is a share: divide the points by the number of games.
            points / num_games => points
        a draw counted as lost
            A draw is half a point: add up the results of `play`, not the number of games won.
            play(candidate, champion) => play(candidate, champion) == 1
            1 - play(champion, candidate) => play(champion, candidate) == 0
        a draw counted as won
            A draw is half a point for each player: add up the results of `play`.
            play(candidate, champion) => play(candidate, champion) > 0
            1 - play(champion, candidate) => play(champion, candidate) < 1
        the loser continues
            The candidate continues if it has enough points; otherwise the champion does.
            >= => <
        no gate at all
            AlphaZero worked this way, but here the candidate has to earn its place.
            candidate if points / num_games >= threshold else champion => candidate
        the match stopped as soon as the threshold is reached
            A single lucky win reaches it in the first game. Play all games first.
            - for _ in range(num_games // 2):
            - ...
            + for number in range(num_games):
            +     if number % 2 == 0:
            +         points += play(candidate, champion)
            +     else:
            +         points += 1 - play(champion, candidate)
            +     if points / (number + 1) >= threshold:
            +         return candidate
            + return champion
        the share needed with either player moving first
            The share is one of all games: what is missing in one half can be made up for in the
            other.
            points = 0.0 => points, others = 0.0, 0.0
            points += 1 - => others += 1 -
            points / num_games => 2 * min(points, others) / num_games
    """),
)
def promotion_gate(
    champion: str,
    candidate: str,
    play: Callable[[str, str], float],
    num_games: int,
    threshold: float,
) -> str:
    """Who makes the games of self-play from now on: the candidate, or still the champion.

    They play `num_games` games, an even number; each of the two moves first in half of them.
    `play(first, second)` plays one game and returns the points of the first: 1, 0.5 or 0. The
    candidate needs at least the share `threshold` of all points.
    """
    points = 0.0
    for _ in range(num_games // 2):
        points += play(candidate, champion)
        points += 1 - play(champion, candidate)
    return candidate if points / num_games >= threshold else champion
