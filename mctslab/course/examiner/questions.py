"""The examiner's questions, in order; each is a game in which a classic fault shows.

If randomness is involved, a fault is reported only if a right search would look like this less than
once in a million times.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple

from mctslab.course.examiner.candidate import OTHER_TREE, Candidate, FoundError, Run
from mctslab.course.examiner.exam_game import DEPTH, WIDTH, corridor, end, wide
from mctslab.course.examiner.report import Finding
from mctslab.course.tree_game import SPARSE, Place, turn_of

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


# Does it work at all?


def _sparse_actions(candidate: Candidate, budget: int) -> None:
    """A win, a draw and a loss; numbers of actions without and with gaps."""
    _check_choice(candidate.run(candidate.game(arms(1, None, 0)), budget), 2)
    candidate.run(candidate.game(arms(1, 0, None), numbers=SPARSE), budget)


def _old_tree(candidate: Candidate, budget: int) -> None:
    """A position, and then the one after two moves, where another move is best."""
    later = arms(0, 1, 1)
    fresh = candidate.run(candidate.game(later), budget)
    state = candidate.game(turn_of(0, turn_of(1, later, later), arms(1, player=1), wide(1, 0)))
    candidate.run(state, budget)
    state = state.child(0).child(0)
    try:
        action = candidate.run(state, budget).action
        seen = f"After a search two moves earlier it played {action}, which loses."
    except FoundError as error:
        action, seen = -1, f"After a search two moves earlier: {error.finding.seen}"
    if fresh.action == 0 != action:
        raise FoundError("", seen, OTHER_TREE, state)


def _same_seed(candidate: Candidate, budget: int) -> None:
    """The same seed three times; rollouts need random numbers."""
    place = arms(None, None, None)
    runs = [candidate.run(candidate.game(place), budget, seed=1) for _ in range(3)]
    first = runs[0]
    varies = len({leaf[DEPTH // 2 :] for leaf in first.leaves}) > 3
    seen = ""
    if len({tuple(run.leaves) for run in runs}) > 1:
        seen = "Three searches with the same seed went different ways."
    elif varies and not first.uses_rng and not first.uses_net:
        seen = "Its rollouts vary, but it drew no number from `rng`."
    if seen:
        look_at = "All random numbers must come from the `rng` that is passed in."
        raise FoundError("", seen, look_at, first.state)


# How the visits spread


def _all_alike(candidate: Candidate, budget: int) -> None:
    """Moves that are all the same: each is tried first, and then they take turns."""
    place = arms(*[None] * _NUM_ARMS)
    runs = [candidate.run(candidate.game(place), budget, seed=seed) for seed in range(5)]
    run, counts = runs[0], runs[0].counts()
    shown = f"All moves lead to draws. Their visits: {counts}."
    if sorted(counts)[-2] <= 3 < max(counts):
        if 0 in counts and not run.uses_net:
            look_at = "A child without a visit has an infinite bonus in UCB1, so it is tried first."
            raise FoundError("expand", shown, look_at, run.state)
        raise FoundError("select", shown, _BONUS, run.state)
    _check_number(run, budget)
    _check_number(candidate.run(candidate.game(place), 3 * budget), 3 * budget)
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


def _check_rollouts(runs: Sequence[Run]) -> None:
    """Late in a rollout, beyond the reach of the tree, all moves are equally likely."""
    for ply in (DEPTH - 4, DEPTH - 3):
        found = Counter(leaf[ply] for run in runs for leaf in run.leaves if len(leaf) > ply)
        counts = [found[action] for action in range(WIDTH)]
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
    tried_first = [
        {leaf[0] for leaf in run.leaves[: _NUM_ARMS + 1] if leaf} == set(range(_NUM_ARMS))
        for run in runs
    ]
    uneven = sum(_chi_squared(run.counts()) for run in runs)
    lowest = min(min(run.counts()) for run in runs)
    return not all(tried_first) and uneven > 5 and lowest > len(runs[0].leaves) / 12


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


class Exam(NamedTuple):
    """A game in which the last of `movers` chooses between something better and something worse.

    Before it, every move leads to the same position.
    """

    movers: tuple[int, ...]
    """The players to move at the root, below it, and so on."""
    again: bool = False
    """Whether the player who chooses moves once more afterwards."""
    over: int | None = None
    """0: a win ends the game at once, or it goes on to a draw. 1: it goes on to a draw, or a loss
    ends it at once. None: it goes on to a win or to a loss."""

    @property
    def place(self) -> Place:
        """The first position."""
        *before, chooser = self.movers
        player = chooser if self.again else 1 - chooser
        better, worse = wide(player, chooser), wide(player, 1 - chooser)
        if self.over == 0:
            better, worse = end(chooser, player), wide(player, None)
        elif self.over == 1:
            better, worse = wide(player, None), end(1 - chooser, player)
        place = turn_of(chooser, better, worse)
        for mover in reversed(before):
            place = turn_of(mover, place, place)
        return place

    def share(self, run: Run) -> float:
        """The share of the visits that went to the better move, from 0 to 1.

        A move that ends the game at once leaves no trace if the search stores the result, so the
        other move is counted.
        """
        depth = len(self.movers) - 1
        reached = [leaf for leaf in run.leaves if len(leaf) > depth]
        better = sum(leaf[depth] == 0 for leaf in reached)
        worse = len(reached) - better
        total = max(_NUM_FOR_SHARES, len(run.leaves)) - (len(run.leaves) - len(reached))
        if self.over == 0:
            better = total - worse
        elif self.over == 1:
            worse = total - better
        return better / (better + worse) if better + worse else 0.5

    @property
    def turns(self) -> tuple[int, ...]:
        """The players to move, with the move after the choice where the same player makes it."""
        return (*self.movers, *(self.movers[-1:] if self.again else ()))

    @property
    def alternates(self) -> bool:
        """Whether no player moves twice in a row."""
        return all(one != other for one, other in pairwise(self.turns))

    def __str__(self) -> str:
        first, *others = self.turns
        turns = f"player {first} moves" + "".join(f", then player {mover}" for mover in others)
        how = ("a win that ends the game and a draw", "a draw and a loss that ends it")
        choice = "a win and a loss" if self.over is None else how[self.over]
        return f"{turns}, and player {self.movers[-1]} chooses between {choice}"


EXAMS: Final = tuple(
    Exam(movers, again, over)
    for over in (None, 0, 1)
    for movers, again in (
        *(((0,), False), ((1,), False), ((0, 1), False), ((1, 0), False), ((0, 1, 0), False)),
        *(((1, 0, 1), False), ((0, 0), False), ((1, 1), False), ((0, 0, 1), False)),
        *(((0,), True), ((1,), True), ((1, 0), True)),
    )
)


def _whose_result(candidate: Candidate, _: int) -> None:
    """The player who makes a choice prefers the own win, at every depth."""
    runs = {exam: candidate.run(candidate.game(exam.place), _NUM_FOR_SHARES) for exam in EXAMS}
    shares = {exam: exam.share(run) for exam, run in runs.items()}
    wrong = [exam for exam, share in shares.items() if share < _ENOUGH]
    if wrong:
        worst = min(wrong, key=lambda exam: (len(exam.movers), shares[exam]))
        seen = (
            f"In a game where {worst}, only {shares[worst]:.0%} of the visits went to the better "
            f"move. Of {len(EXAMS)} such games, {len(wrong)} went wrong."
        )
        phase, look_at = _phase_of(shares, wrong)
        raise FoundError(phase, seen, look_at, runs[worst].state)


def _phase_of(shares: dict[Exam, float], wrong: Sequence[Exam]) -> tuple[str, str]:
    """The phase with the fault, and what to look at, from the shares in all exams."""
    decided_later = [exam for exam in wrong if exam.over is None]
    at_once = [exam for exam in EXAMS if len(exam.movers) == 1 and exam.alternates]
    if not decided_later and len({exam.over for exam in wrong}) == 1:
        return _TO_THE_COUNT, f"Wins and losses went right, but draws did not. {_DRAW}"
    if not decided_later:
        return "simulate", (
            "All games that end with a rollout or a net went right, but games that end in the tree "
            "went wrong. If the game is over at a node, its value is the game's result; a draw is "
            "halfway between a win and a loss."
        )
    if not set(wrong) & set(at_once) and all(0.4 < shares[exam] < 0.6 for exam in wrong):
        return "expand", (
            "Below a certain depth, moves are chosen as if nothing were known. Are nodes added "
            "there, and is their depth limited?"
        )
    if all((shares[exam] < 0.15) == (exam.over is None) for exam in at_once):
        return "simulate", (
            "Results of games that end in the tree count for the right player, those of rollouts "
            "or of the net for the other one. A net's value is for the player to move at the leaf."
        )
    look_at = (
        "Every node must count the result for the player who chose it, which is the player to move "
        "at its parent. A result that is good for one player is bad for the other."
    )
    if not any(exam.alternates for exam in wrong):
        look_at += (
            " All games in which turns alternate went right: where a player moves twice, as after "
            "a pass, the sign must not flip. Compare the players instead of counting plies."
        )
    return "backpropagate", look_at


# Draws, and the choice of the move

_TO_THE_COUNT: Final = "simulate or backpropagate"
"""A search does the same whether a result is wrong before it is counted or where it is counted."""
_DRAW: Final = (
    "A draw is halfway between a win and a loss: 0 between -1 and 1, 0.5 between 0 and 1. Is the "
    "result wrong before the backup, or does the backup change it?"
)


def _draws(candidate: Candidate, budget: int) -> None:
    """A draw is better than a loss and worse than a win."""
    for draw, (winner, name) in product((wide(1, None), end(None, 1)), ((1, "loss"), (0, "win"))):
        places = [wide(1, winner), draw]
        run = candidate.run(candidate.game(turn_of(0, *places)), budget)
        others = run.counts()[0]
        share = others / max(budget, len(run.leaves))
        enough = (1 - share if winner else share) > 0.52
        if not enough and not _plays(candidate, budget, places, 1 if winner else 0):
            seen = f"Of a {name} and a draw, the {name} got {others} of {budget} visits."
            raise FoundError(_TO_THE_COUNT, seen, _DRAW, run.state)


def _plays(candidate: Candidate, budget: int, places: Sequence[Place], better: int) -> bool:
    """Whether the better of two moves is always played, in both orders."""
    for order, seed in product(((0, 1), (1, 0)), range(4)):
        state = candidate.game(turn_of(0, *(places[place] for place in order)))
        if order[candidate.run(state, budget, seed=seed).action] != better:
            return False
    return True


def _choice(candidate: Candidate, budget: int) -> None:
    """Which move is played in the end."""
    for player, best in product((0, 1), range(3)):
        winners = [player if place == best else 1 - player for place in range(3)]
        run = candidate.run(candidate.game(arms(*winners, player=player)), budget)
        _check_choice(run, best)


def _check_choice(run: Run, best: int) -> None:
    """Raise FoundError if the best move was visited most but another one is played."""
    counts = run.counts()
    if run.action == run.state.numbers[best] or counts[best] <= sum(counts) / 2:
        return
    if run.visits and max(run.visits, key=run.visits.__getitem__) != run.state.numbers[best]:
        seen = f"It visited the moves {counts} times, and returned the visits {dict(run.visits)}."
        look_at = "Is every node on the way updated, up to the child of the root?"
        if 1 < sum(run.visits.values()) < sum(counts) / 2:
            raise FoundError("backpropagate", seen, look_at, run.state)
        raise FoundError("choose the move", seen, "Return the visits as they are.", run.state)
    seen = f"The moves were visited {counts} times, and it played {run.action}."
    look_at = "The search visited the best move most. Play the most visited child of the root."
    raise FoundError("choose the move", seen, look_at, run.state)


# Long games


def _long_game(candidate: Candidate, _: int) -> None:
    """Games of 400 forced moves are played to the end."""
    state = candidate.game(turn_of(0, corridor(1, _LONG, 1), corridor(1, _LONG, 0)))
    run = candidate.run(state, 60)
    loss, win = run.counts()
    if not run.uses_net and (win < _ENOUGH * (win + loss) or not run.leaves):
        seen = f"Of two games of {_LONG} moves, the lost one got {loss} visits, the won one {win}."
        look_at = "A rollout that is stopped before the end of the game has no result."
        raise FoundError("simulate", seen, look_at, state)


class Question(NamedTuple):
    """A question in a few words, and how to ask it with a number of simulations."""

    name: str
    ask: Callable[[Candidate, int], None]


QUESTIONS: Final = (
    Question("actions with the numbers 3, 7 and 12", _sparse_actions),
    Question("two searches one after the other", _old_tree),
    Question("moves that are all alike", _all_alike),
    Question(f"whose result counts, in {len(EXAMS)} games", _whose_result),
    Question("draws against wins and losses", _draws),
    Question("which move is played", _choice),
    Question("a lost move, with few simulations and with many", _lost_move),
    Question("games of 400 moves", _long_game),
    Question("the same seed again", _same_seed),
)


def ask_all(
    candidate: Candidate, budget: int, progress: Callable[[str], object]
) -> tuple[list[str], Finding | None]:
    """Ask the questions until one shows a fault; returns the questions asked and the finding."""
    asked: list[str] = []
    for question in QUESTIONS:
        progress(question.name)
        asked.append(question.name)
        try:
            question.ask(candidate, budget)
        except FoundError as error:
            return asked, error.finding
    return asked, None
