"""The examiner's questions, in order; each is a game in which a classic fault shows.

If randomness is involved, a fault is reported only if a correct search would look like this less
than once in a million times.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple, TypeAlias

from mctslab.course.examiner.candidate import (
    DEPTH,
    NUM_SIMULATIONS,
    OTHER_TREE,
    WIDTH,
    Candidate,
    FoundError,
    Run,
    settled,
)
from mctslab.course.tree_game import SPARSE, Place, turn_of

_NUM_ARMS: Final = 5
"""How many moves are all alike."""
_LONG: Final = 250
"""The moves of a long game, more than a game of Gomoku can have."""
_ENOUGH: Final = 0.55
"""A larger share of the visits goes to the better of two moves."""


def arms(*winners: int | None, player: int = 0) -> Place:
    """Moves of `player` after which the game is settled."""
    return turn_of(player, *[settled(1 - player, winner) for winner in winners])


def _choice(candidate: Candidate) -> None:
    """A win, a draw and a loss in all orders: the move that was visited most is played."""
    before: Mapping[int, float] = {}
    for player, best in product((0, 1), (2, 0, 1)):
        winners = [1 - player, None]
        winners.insert(best, player)
        run = candidate.run(arms(*winners, player=player))
        counts, visits = run.counts(), dict(run.visits)
        if run.action != SPARSE[best] and counts[best] > sum(counts) / 2:
            phase, look_at = "choose the move", "Play the most visited child of the root."
            seen = f"The moves were visited {counts} times, and it played {run.action}."
            if visits:
                seen = f"It visited the moves {counts} times, and returned the visits {visits}."
                look_at += " Return the visits as they are."
            if visits and visits == before:
                phase, look_at = "", OTHER_TREE
            elif 1 < sum(visits.values()) < sum(counts) / 2:
                phase = "backpropagate"
                look_at = "Is every node on the way updated, up to the root's child?"
            raise FoundError(phase, seen, look_at, run.state)
        before = visits


def _old_tree(candidate: Candidate) -> None:
    """A position, and then the one after two moves, where another move is best."""
    later = arms(0, 1, 1)
    if candidate.run(later).action != SPARSE[0]:
        return
    place = turn_of(0, turn_of(1, later, later), arms(1, player=1), settled(1, 0))
    state = candidate.run(place).state.child(SPARSE[0]).child(SPARSE[0])
    try:
        action = candidate.run(state).action
        seen = f"it played {action}, which loses."
    except FoundError as error:
        action, seen = -1, error.seen
    if action != SPARSE[0]:
        raise FoundError("", f"After a search two moves earlier: {seen}", OTHER_TREE, state)


# How the visits spread


def _all_alike(candidate: Candidate) -> None:
    """Moves that are all the same: each is tried first, and then they take turns."""
    place = arms(*[None] * _NUM_ARMS)
    runs = [candidate.run(place, seed=seed) for seed in (0, 0, 1, 2)]
    runs.append(candidate.run(place, 3 * NUM_SIMULATIONS, seed=3))
    run, counts = runs[0], runs[0].counts()
    if max(counts) >= 10 * (min(counts) + 1):
        shown = f"All moves lead to draws. Their visits: {counts}."
        if 0 in counts:
            look_at = (
                "A child without a visit has an infinite bonus in UCB1, so it is tried first, and "
                "in PUCT a bonus that grows until it is tried."
            )
            raise FoundError("select or expand", shown, look_at, run.state)
        raise FoundError("select", shown, _BONUS, run.state)
    for run in runs:
        _check_number(run)
    _check_seeds(runs)
    _check_rollouts(runs)


_BONUS: Final = (
    "A move that came late must be tried again. Is the bonus added, with a constant above 0? It "
    "grows with the parent's visits and falls with the child's own, not the reverse."
)


def _check_number(run: Run) -> None:
    """How many results it learned, perhaps several from each leaf; and how many visits it has."""
    found, visits, budget = len(run.leaves), sum(run.visits.values()), run.num_simulations
    most, seen = budget + _NUM_ARMS + 1, ""
    if not budget - 1 <= found <= most and found % budget:
        seen = f"With num_simulations={budget} it learned {found} results."
    elif visits > 1 + most:
        seen = f"With num_simulations={budget} the moves have {visits:g} visits."
    if seen:
        look_at = "Each simulation counts one result. Look at the loop around the four phases."
        raise FoundError("", seen, look_at, run.state)


def _check_seeds(runs: Sequence[Run]) -> None:
    """The first two runs had the same seed; rollouts of the others need random numbers."""
    first, again, *others = runs
    varies = len({leaf[DEPTH // 2 :] for leaf in first.leaves}) > 3
    seen = ""
    if first.leaves != again.leaves:
        seen = "Two searches with the same seed went different ways."
    elif varies and any(first.leaves == run.leaves for run in others):
        seen = "Its rollouts vary, but with another seed they are the same."
    if seen:
        look_at = "All random numbers must come from the `rng` that is passed in."
        raise FoundError("", seen, look_at, first.state)


def _check_rollouts(runs: Sequence[Run]) -> None:
    """Late in a rollout, beyond the reach of the tree, all moves are equally likely."""
    for ply in (DEPTH - 4, DEPTH - 3):
        found = Counter(leaf[ply] for run in runs[1:] for leaf in run.leaves if len(leaf) > ply)
        counts = [found[action] for action in SPARSE[:WIDTH]]
        if max(counts) - min(counts) > 5 * sum(counts) ** 0.5:  # six standard deviations
            seen = f"At ply {ply} of its rollouts it played the {WIDTH} moves {counts} times."
            look_at = "Each legal action must be possible in a rollout, with the same probability."
            raise FoundError("simulate", seen, look_at, runs[0].state)


def _lost_move(candidate: Candidate) -> None:
    """A lost move is tried again now and then, and less and less often."""
    budgets = NUM_SIMULATIONS // 4, NUM_SIMULATIONS * 4
    runs = [candidate.run(arms(0, 1), budget) for budget in budgets]
    few, many = (run.counts()[1] for run in runs)
    if few >= 2 and many > 10 * few:
        seen = f"A lost move got {few} of {budgets[0]} visits, and {many} of {budgets[1]}."
        look_at = (
            "The bonus must grow slowly with the parent's visits: by the logarithm in UCB1, by the "
            "square root in PUCT."
        )
        raise FoundError("select", seen, look_at, runs[1].state)


# For which player results count


Choice: TypeAlias = tuple[int, int]
"""A win (1), a draw (0) or a loss (-1) of the player, and how many moves the game lasts then; with
0 moves the choice ends it."""


class Exam(NamedTuple):
    """A game in which a player chooses between something better and something worse.

    Before that, every move leads to the same position.
    """

    turns: tuple[int, ...]
    """The players to move: at the root, below it and so on, where the choice is made, after it."""
    better: Choice
    worse: Choice

    @property
    def place(self) -> Place:
        """The first position."""
        *before, chooser, player = self.turns
        winners = {1: chooser, 0: None, -1: 1 - chooser}
        choices = (self.better, self.worse)
        place = turn_of(chooser, *(settled(player, winners[end], n) for end, n in choices))
        for mover in reversed(before):
            place = turn_of(mover, place, place)
        return place

    def share(self, run: Run, usual: int) -> float:
        """The share of the visits that went to the better move, from 0 to 1.

        A move that ends the game at once leaves no trace if the search stores the result, so the
        other move is counted, and compared with the `usual` number of leaves.
        """
        depth = len(self.turns) - 2
        reached = [leaf[depth] for leaf in run.leaves if len(leaf) > depth]
        better, worse = (reached.count(action) for action in SPARSE[:2])
        total = max(usual, len(run.leaves)) - (len(run.leaves) - len(reached))
        if not self.better[1]:
            better = total - worse
        elif not self.worse[1]:
            worse = total - better
        return better / (better + worse) if better + worse else 0.5

    @property
    def has_result_in_tree(self) -> bool:
        """Whether a win or a loss ends the game at once."""
        return any(end and not length for end, length in (self.better, self.worse))

    def __str__(self) -> str:
        *movers, after = self.turns
        again = [after] if after == movers[-1] else []
        turns = "".join(f", then player {mover}" for mover in (*movers[1:], *again))
        lengths = {0: " that ends the game", _LONG: f" after {_LONG} moves"}
        better, worse = (
            ("a draw", "a win", "a loss")[end] + lengths.get(length, "")
            for end, length in (self.better, self.worse)
        )
        chooses = f"player {movers[-1]} chooses between {better} and {worse}"
        return f"player {movers[0]} moves{turns}, and {chooses}"


_TURNS: Final = ("01", "10", "010", "101", "0101", "001", "110", "0010", "00")
"""As in an `Exam`; in those after the fifth a player moves twice in a row."""
_WIN, _DRAW, _LOSS, _DRAW_AT_ONCE = (1, DEPTH), (0, DEPTH), (-1, DEPTH), (0, 0)
_CHOICES: Final = ((_WIN, _LOSS), ((1, 0), _DRAW), (_DRAW, (-1, 0)))
_AT_ONCE: Final = (
    *((_WIN, _DRAW), (_DRAW, _LOSS), (_WIN, _DRAW_AT_ONCE), (_DRAW_AT_ONCE, _LOSS)),
    ((1, _LONG), (-1, _LONG)),
)
"""Asked only where the first move is the choice."""
EXAMS: Final = (
    *(Exam(tuple(map(int, turns)), *choice) for choice, turns in product(_CHOICES, _TURNS)),
    *(Exam((0, 1), *choice) for choice in _AT_ONCE),
)


def _whose_result(candidate: Candidate) -> None:
    """The player who makes a choice prefers what is better for this player, at every depth."""
    runs = {exam: candidate.run(exam.place) for exam in EXAMS}
    shares = {exam: exam.share(run, len(runs[EXAMS[0]].leaves)) for exam, run in runs.items()}
    suspects = [exam for exam, share in shares.items() if share < _ENOUGH]
    # A search that proves results does not return to a draw that ends the game.
    wrong = [e for e in suspects if _DRAW_AT_ONCE not in e or not _plays_better(candidate, e)]
    if wrong:
        worst = min(wrong, key=lambda exam: (len(exam.turns), shares[exam]))
        seen = (
            f"In a game where {worst}, only {shares[worst]:.0%} of the visits went to the better "
            f"move. Of {len(EXAMS)} such games, {len(wrong)} went wrong."
        )
        phase, look_at = _phase_of(shares, wrong)
        raise FoundError(phase, seen, look_at, runs[worst].state)


def _plays_better(candidate: Candidate, exam: Exam) -> bool:
    """Whether the better of two moves is always played, in both orders."""
    options = exam.place.options
    return all(
        candidate.run(turn_of(0, *options[::step]), seed=seed).action == SPARSE[best]
        for best, step in ((0, 1), (1, -1))
        for seed in range(4)
    )


def _phase_of(shares: Mapping[Exam, float], wrong: Sequence[Exam]) -> tuple[str, str]:
    """The phase with the fault, and what to look at, from the shares in all exams."""
    pairs = {(exam.better[0], exam.worse[0]) for exam in wrong}
    at_once = [exam for exam in EXAMS if exam.turns in ((0, 1), (1, 0))]
    are_in_tree = all(exam.has_result_in_tree for exam in wrong)
    if all(exam.better[1] == _LONG for exam in wrong):
        return "simulate", "A rollout that is stopped before the end of the game has no result."
    if (1, -1) not in pairs and not (len(pairs) == 2 and are_in_tree):
        return "simulate or backpropagate", (  # a search would do the same for a fault in either
            "Wins and losses went right, but draws did not. A draw is halfway between a win and a "
            "loss: 0 between -1 and 1, 0.5 between 0 and 1. Is the result wrong before the backup, "
            "or does the backup change it?"
        )
    if (1, -1) not in pairs:
        return "simulate", (
            "All games that end with a rollout went right, but games that end in the tree "
            "went wrong. If the game is over at a node, its value is the game's result."
        )
    as_if_unknown = {exam for exam, share in shares.items() if 0.35 < share < 0.65}
    if as_if_unknown.issuperset(exam for exam in EXAMS if exam[1:] == (_WIN, _LOSS)):
        return "simulate or backpropagate", (
            "Moves are chosen as if nothing were known. Does every rollout begin at the new leaf, "
            "and is its result counted in the nodes above?"
        )
    if as_if_unknown.issuperset(wrong) and not set(wrong) & set(at_once):
        return "expand", (
            "Below a certain depth, moves are chosen as if nothing were known. Are nodes added "
            "there, and is their depth limited?"
        )
    if all((shares[exam] < 0.15) != exam.has_result_in_tree for exam in at_once):
        return "simulate", (
            "Results of games that end in the tree count for the right player, those of rollouts "
            "for the other one."
        )
    look_at = (
        "Every node must count the result for the player who chose it, which is the player to move "
        "at its parent. A result that is good for one player is bad for the other."
    )
    if all(any(one == other for one, other in pairwise(exam.turns)) for exam in wrong):
        look_at += (
            " All games in which turns alternate went right: where a player moves twice, as after "
            "a pass, the sign must not flip. Compare the players instead of counting plies."
        )
    return "backpropagate", look_at


QUESTIONS: Final[Mapping[str, Callable[[Candidate], None]]] = {
    "which move is played": _choice,
    "two searches one after the other": _old_tree,
    "moves that are all alike": _all_alike,
    f"whose result counts, in {len(EXAMS)} games": _whose_result,
    "a lost move, with few simulations and with many": _lost_move,
}
"""Each in a few words, and how to ask it."""
