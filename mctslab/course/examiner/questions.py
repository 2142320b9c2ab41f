"""The examiner's questions, in order; each is a game in which a classic fault shows.

If randomness is involved, a fault is reported only if a right search would look like this less than
once in a million times.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple

from mctslab.course.examiner.candidate import OTHER_TREE, Candidate, Run
from mctslab.course.examiner.exam_game import DEPTH, WIDTH, end, wide
from mctslab.course.examiner.report import FoundError
from mctslab.course.tree_game import SPARSE, Place, forced, turn_of

_NUM_ARMS: Final = 5
_LONG: Final = 400
"""The length of a long game."""
_MOST_CHI_SQUARED: Final = 33.0
"""With two degrees of freedom, exceeded less than once in ten million times."""
_NUM_FOR_SHARES: Final = 300
_ENOUGH: Final = 0.55
"""A larger share of the visits goes to the better of two moves."""


def arms(*winners: int | None, player: int = 0) -> Place:
    """Moves of `player` after which the game is settled."""
    return turn_of(player, *[wide(1 - player, winner) for winner in winners])


def _choice(candidate: Candidate, budget: int) -> None:
    """A win, a draw and a loss in all orders: the move that was visited most is played."""
    before: Run | None = None
    for player, best in product((0, 1), (2, 0, 1)):
        winners = [1 - player, None]
        winners.insert(best, player)
        run = candidate.run(candidate.game(arms(*winners, player=player)), budget)
        counts, action = run.counts(), SPARSE[best]
        if run.action != action and counts[best] > sum(counts) / 2:
            raise FoundError(*_of_choice(run, before, action), run.state)
        before = run


def _of_choice(run: Run, before: Run | None, action: int) -> tuple[str, str, str]:
    """What is wrong where another move is played than the one that was visited most."""
    counts, visits = run.counts(), dict(run.visits)
    seen = f"It visited the moves {counts} times, and returned the visits {visits}."
    if before is not None and visits and visits == before.visits:
        return "", seen, OTHER_TREE
    if not visits or max(visits, key=visits.__getitem__) == action:
        seen = f"The moves were visited {counts} times, and it played {run.action}."
        look_at = "The search visited the best move most. Play the most visited child of the root."
        return "choose the move", seen, look_at
    if 1 < sum(visits.values()) < sum(counts) / 2:
        return "backpropagate", seen, "Is every node on the way updated, up to the root's child?"
    return "choose the move", seen, "Return the visits as they are."


def _old_tree(candidate: Candidate, budget: int) -> None:
    """A position, and then the one after two moves, where another move is best."""
    later = arms(0, 1, 1)
    if candidate.run(candidate.game(later), budget).action != SPARSE[0]:
        return
    state = candidate.game(turn_of(0, turn_of(1, later, later), arms(1, player=1), wide(1, 0)))
    candidate.run(state, budget)
    state = state.child(SPARSE[0]).child(SPARSE[0])
    try:
        action = candidate.run(state, budget).action
        seen = f"it played {action}, which loses." if action != SPARSE[0] else ""
    except FoundError as error:
        seen = error.seen
    if seen:
        raise FoundError("", f"After a search two moves earlier: {seen}", OTHER_TREE, state)


# How the visits spread


def _all_alike(candidate: Candidate, budget: int) -> None:
    """Moves that are all the same: each is tried first, and then they take turns."""
    place = arms(*[None] * _NUM_ARMS)
    runs = [candidate.run(candidate.game(place), budget, seed=seed) for seed in (0, 0, 1, 2, 3, 4)]
    run, counts = runs[0], runs[0].counts()
    shown = f"All moves lead to draws. Their visits: {counts}."
    if sorted(counts)[-2] <= 3 < max(counts):
        if 0 in counts and not run.uses_net:
            look_at = "A child without a visit has an infinite bonus in UCB1, so it is tried first."
            raise FoundError("expand", shown, look_at, run.state)
        raise FoundError("select", shown, _BONUS, run.state)
    _check_number(run, budget)
    _check_number(candidate.run(candidate.game(place), 3 * budget), 3 * budget)
    _check_seeds(runs)
    if not run.uses_net:
        _check_rollouts(runs)
        if _are_from_root(runs):
            seen = f"{shown} Whichever move is selected, the rollout goes anywhere."
            look_at = "The rollout must begin at the new leaf, because its result is counted there."
            raise FoundError("simulate", seen, look_at, run.state)


_BONUS: Final = (
    "A move that did badly, or came late, must be tried again. Is the bonus added, with a constant "
    "above 0? It grows with the parent's visits and falls with the child's own, not the reverse."
)


def _check_number(run: Run, budget: int) -> None:
    """How many results it learned; a net can be called once for several visits of an end."""
    found, visits = len(run.leaves), sum(run.visits.values())
    most, least = budget + _NUM_ARMS + 1, budget * 0.35 if run.uses_net else budget - 1
    again = sum(one == other for one, other in pairwise(run.leaves))
    if run.uses_net and (again > found / 2 or found < least < visits):
        seen = f"In {budget} simulations {found - again} leaves were evaluated, others just before."
        look_at = "A virtual loss makes a child look worse, so that the next walk goes elsewhere."
        raise FoundError("select", seen, look_at, run.state)
    seen = ""
    if not least <= found <= most and (run.uses_net or found % budget):
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
    elif varies and not first.uses_net and all(first.leaves == run.leaves for run in others):
        seen = "Its rollouts vary, but with another seed they are the same."
    if seen:
        look_at = "All random numbers must come from the `rng` that is passed in."
        raise FoundError("", seen, look_at, first.state)


def _check_rollouts(runs: Sequence[Run]) -> None:
    """Late in a rollout, beyond the reach of the tree, all moves are equally likely."""
    for ply in (DEPTH - 4, DEPTH - 3):
        found = Counter(leaf[ply] for run in runs[1:] for leaf in run.leaves if len(leaf) > ply)
        counts = [found[action] for action in SPARSE[:WIDTH]]
        if sum(counts) >= 60 and _chi_squared(counts) > _MOST_CHI_SQUARED:
            seen = f"At ply {ply} of its rollouts it played the {WIDTH} moves {counts} times."
            look_at = "Each legal action must be possible in a rollout, with the same probability."
            raise FoundError("simulate", seen, look_at, runs[0].state)


def _chi_squared(counts: Sequence[int]) -> float:
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 for count in counts) / mean if mean else 0.0


def _are_from_root(runs: Sequence[Run]) -> bool:
    """Whether the rollouts do not depend on the selected move.

    A search that tries all moves first does so in all runs, and a faulty one in hardly any. With
    another first-play urgency the moves still take turns.
    """
    first = [{leaf[0] for leaf in run.leaves[: _NUM_ARMS + 1] if leaf} for run in runs]
    uneven = sum(_chi_squared(run.counts()) for run in runs)
    lowest = min(min(run.counts()) for run in runs)
    all_first = all(len(tried) == _NUM_ARMS for tried in first)
    return not all_first and uneven > 5 and lowest > len(runs[0].leaves) / 12


def _lost_move(candidate: Candidate, budget: int) -> None:
    """A lost move is tried again now and then, and less and less often."""
    runs = [candidate.run(candidate.game(arms(0, 1)), n) for n in (budget // 4, 4 * budget)]
    (_, few), (_, many) = (run.counts() for run in runs)
    state = runs[1].state
    if few >= 2 and many > 10 * few:
        seen = f"A lost move got {few} of {budget // 4} visits, and {many} of {4 * budget}."
        look_at = (
            "The bonus must grow slowly with the parent's visits: by the logarithm in UCB1, by the "
            "square root in PUCT. With a net, the priors of the legal actions sum to 1."
        )
        raise FoundError("select", seen, look_at, state)
    if many <= 1 and not runs[0].uses_rng:
        runs = [candidate.run(candidate.game(arms(None, None)), budget, seed=s) for s in range(8)]
        if sum(_chi_squared(run.counts()) for run in runs) > 1:
            seen = f"A lost move got {many} of {4 * budget} visits."
            raise FoundError("select", seen, _BONUS, state)


# For which player results count


class Option(NamedTuple):
    """What a player can choose: a win (1), a draw (0) or a loss (-1)."""

    value: int
    ends: bool = False
    """Whether it ends the game at once; otherwise the game goes on to this result."""

    def place(self, chooser: int, player: int) -> Place:
        """Where the option leads to, with `player` to move."""
        winner = {1: chooser, 0: None, -1: 1 - chooser}[self.value]
        return end(winner, player) if self.ends else wide(player, winner)

    def __str__(self) -> str:
        name = {1: "a win", 0: "a draw", -1: "a loss"}[self.value]
        return f"{name} that ends the game" if self.ends else name


class Exam(NamedTuple):
    """A game in which a player chooses between something better and something worse.

    Before that, every move leads to the same position.
    """

    turns: tuple[int, ...]
    """The players to move: at the root, below it and so on, where the choice is made, after it."""
    better: Option
    worse: Option

    @property
    def place(self) -> Place:
        """The first position."""
        *before, chooser, player = self.turns
        options = self.better.place(chooser, player), self.worse.place(chooser, player)
        place = turn_of(chooser, *options)
        for mover in reversed(before):
            place = turn_of(mover, place, place)
        return place

    def share(self, run: Run) -> float:
        """The share of the visits that went to the better move, from 0 to 1.

        A move that ends the game at once leaves no trace if the search stores the result, so the
        other move is counted.
        """
        depth = len(self.turns) - 2
        reached = [leaf[depth] for leaf in run.leaves if len(leaf) > depth]
        better, worse = (reached.count(action) for action in SPARSE[:2])
        total = max(_NUM_FOR_SHARES, len(run.leaves)) - (len(run.leaves) - len(reached))
        if self.better.ends:
            better = total - worse
        elif self.worse.ends:
            worse = total - better
        return better / (better + worse) if better + worse else 0.5

    @property
    def has_result_in_tree(self) -> bool:
        """Whether a win or a loss ends the game at once."""
        return any(option.ends and option.value for option in (self.better, self.worse))

    def __str__(self) -> str:
        *movers, after = self.turns
        moves_again = [after] if after == movers[-1] else []
        turns = "".join(f", then player {mover}" for mover in (*movers[1:], *moves_again))
        return (
            f"player {movers[0]} moves{turns}, and player {movers[-1]} chooses between "
            f"{self.better} and {self.worse}"
        )


_TURNS: Final = ("01", "10", "010", "101", "0101", "001", "110", "0010", "00")
"""As in an `Exam`; in those after the fifth a player moves twice in a row."""
_WIN, _DRAW, _LOSS = Option(1), Option(0), Option(-1)
_CHOICES: Final = ((_WIN, _LOSS), (Option(1, True), _DRAW), (_DRAW, Option(-1, True)))
_DRAWS: Final = (
    *((_WIN, _DRAW), (_DRAW, _LOSS)),
    *((_WIN, Option(0, True)), (Option(0, True), _LOSS)),
)
EXAMS: Final = (
    *(Exam(tuple(map(int, turns)), *choice) for choice, turns in product(_CHOICES, _TURNS)),
    *(Exam((0, 1), *choice) for choice in _DRAWS),
)


def _whose_result(candidate: Candidate, _: int) -> None:
    """The player who makes a choice prefers what is better for this player, at every depth."""
    runs = {exam: candidate.run(candidate.game(exam.place), _NUM_FOR_SHARES) for exam in EXAMS}
    shares = {exam: exam.share(run) for exam, run in runs.items()}
    suspects = [exam for exam, share in shares.items() if share < _ENOUGH]
    # A search that proves results does not return to a draw that ends the game.
    wrong = [e for e in suspects if Option(0, True) not in e or not _plays_better(candidate, e)]
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
    first = exam.place
    for best, seed in product((0, 1), range(4)):
        place = first._replace(options=first.options[::-1]) if best else first
        if candidate.run(candidate.game(place), 100, seed=seed).action != SPARSE[best]:
            return False
    return True


def _phase_of(shares: Mapping[Exam, float], wrong: Sequence[Exam]) -> tuple[str, str]:
    """The phase with the fault, and what to look at, from the shares in all exams."""
    pairs = {(exam.better.value, exam.worse.value) for exam in wrong}
    at_once = [exam for exam in EXAMS if exam.turns in ((0, 1), (1, 0))]
    are_in_tree = all(exam.has_result_in_tree for exam in wrong)
    if (1, -1) not in pairs and not (len(pairs) == 2 and are_in_tree):
        return "simulate or backpropagate", (  # a search would do the same for a fault in either
            "Wins and losses went right, but draws did not. A draw is halfway between a win and a "
            "loss: 0 between -1 and 1, 0.5 between 0 and 1. Is the result wrong before the backup, "
            "or does the backup change it?"
        )
    if (1, -1) not in pairs:
        return "simulate", (
            "All games that end with a rollout or a net went right, but games that end in the tree "
            "went wrong. If the game is over at a node, its value is the game's result."
        )
    if not set(wrong) & set(at_once) and all(0.4 < shares[exam] < 0.6 for exam in wrong):
        return "expand", (
            "Below a certain depth, moves are chosen as if nothing were known. Are nodes added "
            "there, and is their depth limited?"
        )
    if all((shares[exam] < 0.15) != exam.has_result_in_tree for exam in at_once):
        return "simulate", (
            "Results of games that end in the tree count for the right player, those of rollouts "
            "or of the net for the other one. A net's value is for the player to move at the leaf."
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


# Long games


def _long_game(candidate: Candidate, _: int) -> None:
    """Games of 400 forced moves are played to the end."""
    options = (forced(_LONG, end(winner, 1), first=1) for winner in (1, 0))
    state = candidate.game(turn_of(0, *options))
    run = candidate.run(state, 60)
    loss, win = run.counts()
    if not run.uses_net and (win < _ENOUGH * (win + loss) or not run.leaves):
        seen = f"Of two games of {_LONG} moves, the lost one got {loss} visits, the won one {win}."
        look_at = "A rollout that is stopped before the end of the game has no result."
        raise FoundError("simulate", seen, look_at, state)


QUESTIONS: Final[Mapping[str, Callable[[Candidate, int], None]]] = {
    "which move is played": _choice,
    "two searches one after the other": _old_tree,
    "moves that are all alike": _all_alike,
    f"whose result counts, in {len(EXAMS)} games": _whose_result,
    "a lost move, with few simulations and with many": _lost_move,
    "games of 400 moves": _long_game,
}
"""Each in a few words, and how to ask it with a number of simulations."""
