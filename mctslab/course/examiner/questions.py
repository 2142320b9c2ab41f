"""The examiner's questions, in order; each builds a game in which a fault shows.

If randomness is involved, a fault is named only if a right search would look like this less than
once in a million times.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple

from mctslab.course.examiner.candidate import Candidate, FoundError, Run
from mctslab.course.examiner.exam_game import DEPTH, WIDTH, corridor, end, settled, wide
from mctslab.course.examiner.report import Finding
from mctslab.course.examiner.signs import EXAMS, NUM_SIMULATIONS, RIGHT, diagnosis
from mctslab.course.tree_game import SPARSE, Place, turn_of

Findings = Iterator[Finding]

_NUM_ARMS: Final = 5
_LONG: Final = 400
"""The length of a long game."""
_MOST_CHI_SQUARED: Final = 33.0
"""With two degrees of freedom, exceeded less than once in ten million times."""


class Question(NamedTuple):
    """A question, and whether the next ones make sense if it finds a fault."""

    name: str
    ask: Callable[[Candidate, int], Findings]
    goes_on: bool = False
    needs: str = ""
    """What the search needs for it: a parameter for the `net` or for the `time`."""

    def is_for(self, candidate: Candidate) -> bool:
        """Whether it can be asked."""
        has = {"": True, "net": candidate.takes_net, "time": candidate.time_parameter is not None}
        return has[self.needs]


def arms(*winners: int | None, player: int = 0) -> Place:
    """Moves of `player` after which the game is settled."""
    return turn_of(player, *[wide(1 - player, winner) for winner in winners])


# Does it work at all?


def _basics(candidate: Candidate, budget: int) -> Findings:
    """A win, a draw and a loss; numbers of actions with gaps."""
    run = candidate.run(candidate.game(arms(1, None, 0)), budget)
    yield from _wrong_choice(run, 2)
    sparse = candidate.game(arms(1, 0, None), numbers=SPARSE)
    candidate.run(sparse, budget)


def _generator(candidate: Candidate, budget: int) -> Findings:
    """The same seed twice; rollouts need random numbers."""
    place = arms(None, None, None)
    runs = [candidate.run(candidate.game(place), budget, seed=1) for _ in range(3)]
    if len({tuple(run.leaves) for run in runs}) > 1:
        seen = "Three searches with the same seed went different ways."
        yield Finding("random numbers from another source", seen, runs[0].state)
    elif not runs[0].uses_rng and not runs[0].uses_net and _is_random(runs[0]):
        seen = "Its rollouts vary, but it drew no number from `rng`."
        yield Finding("random numbers from another source", seen, runs[0].state)


def _is_random(run: Run) -> bool:
    return len({leaf[DEPTH // 2 :] for leaf in run.leaves}) > 3


def _old_tree(candidate: Candidate, budget: int) -> Findings:
    """A position, and then the one after two moves, where another move is best."""
    later = arms(0, 1, 1)
    fresh = candidate.run(candidate.game(later), budget)
    state = candidate.game(turn_of(0, turn_of(1, later, later), arms(1, player=1), wide(1, 0)))
    candidate.run(state, budget)
    state = state.child(0).child(0)
    try:
        action: int | str = candidate.run(state, budget).answer.action
        seen = f"After a search two moves earlier it played {action}, which loses."
    except FoundError as error:
        action, seen = "", f"After a search two moves earlier: {error.finding.seen}"
    if fresh.answer.action == 0 != action:
        yield Finding("the tree of an earlier search", seen, state)


# How the visits spread


def _spread(candidate: Candidate, budget: int) -> Findings:
    """Moves that are all the same: each is tried first, and then they take turns."""
    runs = [
        candidate.run(candidate.game(arms(*[None] * _NUM_ARMS)), budget, seed=seed)
        for seed in range(5)
    ]
    run = runs[0]
    counts = run.counts()
    shown = f"All moves lead to draws. Their visits: {counts}."
    if sorted(counts)[-2] <= 3 < max(counts):
        if 0 in counts and not run.uses_net:
            raise FoundError("untried children are not tried", shown, run.state)
        raise FoundError(_why_starving(candidate, run.uses_net), shown, run.state)
    yield from _number(run, budget)
    yield from _number(candidate.run(candidate.game(run.state.place), 3 * budget), 3 * budget)
    if not run.uses_net:
        yield from _rollouts(runs)
        if _are_from_root(runs):
            seen = f"{shown} Whichever move is selected, the rollout goes anywhere."
            yield Finding("rollouts start at the root", seen, run.state)
    yield from _draw_values(run)


def _number(run: Run, budget: int) -> Findings:
    """How many results it learned."""
    found = len(run.leaves)
    most, least = budget + _NUM_ARMS + 1, budget - 1.0
    visits = sum((run.answer.visits or {}).values())
    if run.uses_net:
        repeated = sum(one == other for one, other in pairwise(run.leaves))
        if repeated > 0.5 * found or found < 0.35 * budget < 0.5 * visits:
            seen = f"In {budget} simulations {found - repeated} leaves were evaluated, "
            raise FoundError("virtual losses attract", f"{seen}the others just before.", run.state)
        least = 0.35 * budget
    if not least <= found <= most and (run.uses_net or found % budget):
        seen = f"With num_simulations={budget} it learned {found} results."
        yield Finding("the number of simulations is wrong", seen, run.state)
    elif visits > 1 + most:
        seen = f"With num_simulations={budget} the moves have {visits:g} visits."
        yield Finding("the number of simulations is wrong", seen, run.state)


def _rollouts(runs: Sequence[Run]) -> Findings:
    """Late in a rollout, beyond the reach of the tree, all moves are equally likely."""
    for ply in (DEPTH - 4, DEPTH - 3):
        found = Counter(leaf[ply] for run in runs for leaf in run.leaves if len(leaf) > ply)
        counts = [found[action] for action in range(WIDTH)]
        if sum(counts) >= 60 and _chi_squared(counts) > _MOST_CHI_SQUARED:
            seen = f"At ply {ply} of its rollouts it played the {WIDTH} moves {counts} times."
            yield Finding("rollouts are not random", seen, runs[0].state)
            return


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


def _why_starving(candidate: Candidate, uses_net: bool) -> str:
    """Whether there is no bonus for exploration, or one that grows with the child's own visits."""
    exchanged = _priors_count(candidate) if uses_net else _stays_long(candidate)
    return "visits of parent and child exchanged" if exchanged else "no exploration"


def _priors_count(candidate: Candidate) -> bool:
    """Whether the priors make a difference if nothing else does."""
    place = arms(None, None)
    games = [candidate.game(place, priors={(): priors}) for priors in ((0.9, 0.1), (0.1, 0.9))]
    first, second = (candidate.run(game, 100).counts() for game in games)
    return first != second


def _stays_long(candidate: Candidate) -> bool:
    """Whether a move stays attractive for a while when its mean has fallen below that of a draw.

    Without a bonus it is left at once.
    """
    falling = turn_of(1, wide(0, 0), wide(0, 1))
    places = [turn_of(0, falling, wide(1, None)), turn_of(0, wide(1, None), falling)]
    return any(
        candidate.run(candidate.game(place), 100, seed=seed).counts()[which] > 6
        for (which, place), seed in product(enumerate(places), range(8))
    )


def _draw_values(run: Run) -> Findings:
    """If all games are drawn, the mean must be that of a draw."""
    values = run.answer.values or {}
    if values and run.uses_net and min(values.values()) < -0.02:
        shown = ", ".join(f"{value:.2f}" for value in values.values())
        seen = f"All results are draws, but the mean values of the moves are {shown}."
        yield Finding("virtual losses stay", seen, run.state)


def _signs(candidate: Candidate, budget: int) -> Findings:
    """For which player results count, at every depth."""
    del budget  # the patterns of the faults were computed for this number
    runs = [candidate.run(candidate.game(exam.place), NUM_SIMULATIONS) for exam in EXAMS]
    exams = zip(EXAMS, runs, strict=True)
    shares = [exam.share(run.leaves, NUM_SIMULATIONS) for exam, run in exams]
    wrong = [place for place, share in enumerate(shares) if share < RIGHT]
    if not wrong:
        return
    fault, distance = diagnosis(shares)
    if fault == "the value of a leaf has the wrong sign" and runs[0].uses_net:
        fault = "the net's value is for the wrong player"
    if distance > 0.13:
        fault = "the results steer the search wrongly"
    worst = min(wrong, key=lambda place: (len(EXAMS[place].movers), shares[place]))
    seen = f"In a game where {EXAMS[worst]}, only {shares[worst]:.0%} of the visits went to the "
    seen += f"better move. Of {len(EXAMS)} such games, {len(wrong)} went wrong."
    yield Finding(fault, seen, runs[worst].state)


def _draws(candidate: Candidate, budget: int) -> Findings:
    """A draw is better than a loss and worse than a win, exactly half-way."""
    for draw in (wide(1, None), end(None, 1)):
        for winner, name in ((1, "loss"), (0, "win")):
            places = [wide(1, winner), draw]
            better = 1 if winner else 0
            run = candidate.run(candidate.game(turn_of(0, *places)), budget)
            others = run.counts()[0]
            share = others / max(budget, len(run.leaves))
            enough = (1 - share if winner else share) > 0.52
            if not enough and not _plays(candidate, budget, places, better):
                seen = f"Of a {name} and a draw, the {name} got {others} of {budget} visits."
                yield Finding("draws have the wrong value", seen, run.state)
                return
    gaps = [_gap(candidate, budget, 0, None), _gap(candidate, budget, None, 1)]
    if None not in gaps and not 0.5 < gaps[0] / gaps[1] < 2:  # type: ignore[operator]
        seen = "The visits show that it is much closer to one of them than to the other."
        yield Finding("draws have the wrong value", seen, candidate.game(arms(0, None, 1)))


def _plays(candidate: Candidate, budget: int, places: Sequence[Place], better: int) -> bool:
    """Whether the better of two moves is always played, in both orders."""
    for order, seed in product(((0, 1), (1, 0)), range(4)):
        state = candidate.game(turn_of(0, *(places[place] for place in order)))
        if order[candidate.run(state, budget, seed=seed).answer.action] != better:
            return False
    return True


def _gap(candidate: Candidate, budget: int, better: int | None, worse: int | None) -> float | None:
    """How far apart two results are, in multiples of the exploration; None if it is too small."""
    visits = candidate.run(candidate.game(arms(better, worse)), budget).counts()
    if min(visits) < 5:
        return None
    return max(1 / math.sqrt(visits[1]) - 1 / math.sqrt(visits[0]), 1e-3)


def _exploration(candidate: Candidate, budget: int) -> Findings:
    """A lost move is tried again now and then, and less and less often."""
    runs = [candidate.run(candidate.game(arms(0, 1)), n) for n in (budget // 4, 4 * budget)]
    (_, few), (_, many) = (run.counts() for run in runs)
    state = runs[1].state
    if few >= 2 and many > 10 * few:
        seen = f"A lost move got {few} of {budget // 4} visits, and {many} of {4 * budget}."
        yield Finding("the exploration never fades", seen, state)
    elif many <= 1:
        runs = [candidate.run(candidate.game(arms(None, None)), budget, seed=s) for s in range(8)]
        if sum(_chi_squared(run.counts()) for run in runs) > 1 and not runs[0].uses_rng:
            seen = f"A lost move got {many} of {4 * budget} visits."
            yield Finding(_why_starving(candidate, runs[0].uses_net), seen, state)


def _choice(candidate: Candidate, budget: int) -> Findings:
    """Which move is played in the end."""
    for player, best in product((0, 1), range(3)):
        winners = [player if place == best else 1 - player for place in range(3)]
        run = candidate.run(candidate.game(arms(*winners, player=player)), budget)
        yield from _wrong_choice(run, best)


def _wrong_choice(run: Run, best: int) -> Findings:
    """The finding if the best move was visited most but another one is played."""
    counts = run.counts()
    if run.answer.action != run.state.numbers[best] and counts[best] > sum(counts) / 2:
        visits = run.answer.visits or {}
        seen = f"The moves were visited {counts} times, and it played {run.answer.action}."
        if visits and max(visits, key=visits.__getitem__) != run.state.numbers[best]:
            is_less = 1 < sum(visits.values()) < sum(counts) / 2
            fault = "results do not reach the moves" if is_less else "the tree of an earlier search"
            seen = f"It visited the moves {counts} times, and returned the visits {visits}."
            raise FoundError(fault, seen, run.state)
        raise FoundError("the wrong child is played", seen, run.state)
    yield from ()


# Long games, clocks, nets


def _long_game(candidate: Candidate, _: int) -> Findings:
    """Games of 400 forced moves are played to the end."""
    state = candidate.game(turn_of(0, corridor(1, _LONG, 1), corridor(1, _LONG, 0)))
    run = candidate.run(state, 60)
    if run.uses_net:
        return
    loss, win = run.counts()
    if win < RIGHT * (win + loss) or not run.leaves:
        seen = f"Of two games of {_LONG} moves, the lost one got {loss} visits, the won one {win}."
        yield Finding("the depth is limited", seen, state)


def _clock(candidate: Candidate, _: int) -> Findings:
    """A budget of time, in a game whose moves are slow."""
    name, budget = candidate.time_parameter or "", 0.2
    state = candidate.game(arms(0, None, 1), seconds=2e-4)
    took = []
    for _ in range(3):  # other programs can take the processor away
        try:
            took.append(candidate.run(state, None, limit=2.0, options={name: budget}).seconds)
        except FoundError as error:
            if error.finding.fault != "it does not return":
                return
            took.append(math.inf)
        if took[-1] < 3 * budget + 0.2:
            return
    seen = f"With {name}={budget} it searched for {min(*took, 2.0):.1f} seconds or more."
    yield Finding("the time limit is not kept", seen, state)


def _net(candidate: Candidate, budget: int) -> Findings:
    """Illegal actions in the policy, and chance below the root."""
    budget = max(budget, 400)  # with fewer the difference is small
    place = arms(0, 1)
    plain, masked = (
        candidate.run(candidate.game(place, illegal=share), budget, seed=1) for share in (0.0, 0.9)
    )
    if abs(plain.counts()[1] - masked.counts()[1]) > 3:
        seen = (
            f"A lost move got {plain.counts()[1]} visits, and {masked.counts()[1]} when the net "
            "gave nine tenths of its policy to illegal actions."
        )
        yield Finding("priors are not normalised", seen, masked.state)
    below = arms(None, None, None, None, player=1)
    priors = {(0,): (0.41, 0.28, 0.19, 0.12)}
    state = candidate.game(turn_of(0, below), priors=priors)
    games = [candidate.game(state.place, priors=priors) for _ in range(6)]
    counts = [candidate.run(game, budget, seed=seed).counts(1) for seed, game in enumerate(games)]
    apart = max(max(column) - min(column) for column in zip(*counts, strict=True))
    if apart > 0.05 * budget:
        seen = f"There is one legal move, and the visits after it depend on the seed: {counts[:3]}."
        yield Finding("noise below the root", seen, state)


QUESTIONS: Final = (
    Question("actions with the numbers 3, 7 and 12", _basics),
    Question("two searches one after the other", _old_tree),
    Question("the same seed again", _generator, goes_on=True),
    Question("moves that are all alike", _spread),
    Question("whose result counts, in 36 games", _signs),
    Question("draws against wins and losses", _draws),
    Question("which move is played", _choice),
    Question("a lost move with 100 and with 1,600 simulations", _exploration),
    Question("games of 400 moves", _long_game),
    Question("a budget of time", _clock, needs="time"),
    Question("priors and noise", _net, needs="net"),
)


def ask_all(
    candidate: Candidate, budget: int, progress: Callable[[str], object]
) -> tuple[list[str], list[Finding]]:
    """Ask the questions until one shows a fault; returns the questions asked and the findings."""
    asked: list[str] = []
    findings: list[Finding] = []
    for question in QUESTIONS:
        if not question.is_for(candidate):
            continue
        progress(question.name)
        asked.append(question.name)
        try:
            found = list(question.ask(candidate, budget))
        except FoundError as error:
            found = [error.finding]
        findings += found
        if found and not question.goes_on:
            break
    return asked, findings


def conventions(candidate: Candidate) -> list[str]:
    """Which of the two usual rules it plays its move by, and what could not be examined."""
    notes = [
        f"Not examined: {question.name}, because the search has no parameter for the "
        f"{question.needs}."
        for question in QUESTIONS
        if not question.is_for(candidate)
    ]
    try:
        return [*notes, *_last_rule(candidate)]
    except FoundError:  # with so few simulations some searches have no answer
        return notes


def _last_rule(candidate: Candidate) -> Iterator[str]:
    """Whether it plays the most visited move or the one with the highest mean, if these differ."""
    unsure = turn_of(1, wide(0, 0), wide(0, 1), wide(0, None))
    place = turn_of(0, unsure, unsure, unsure)
    agreed: Counter[str] = Counter()
    for num_simulations, seed in product((4, 7, 10, 13), range(30)):
        run = candidate.run(candidate.game(place), num_simulations, seed=seed)
        rules = {"most visits": _best(run.counts()), "highest mean": _best(_means(run))}
        if None not in rules.values() and len(set(rules.values())) == 2:
            agreed["all"] += 1
            agreed.update(rule for rule, best in rules.items() if best == run.answer.action)
    for rule, times in agreed.items():
        if rule != "all" and times == agreed["all"] > 4:
            yield f"In the end it plays the move with the {rule}."


def _best(numbers: Sequence[float]) -> int | None:
    """The place of the largest number; None if several are the largest."""
    places = [place for place, number in enumerate(numbers) if number == max(numbers)]
    return places[0] if len(places) == 1 else None


def _means(run: Run) -> list[float]:
    """The mean results of the moves of player 0, from the leaves."""
    totals = [0.0] * len(run.counts())
    for leaf in run.leaves:
        place = run.state.place
        for action in leaf:
            place = place.options[action]
        if leaf:
            totals[leaf[0]] += (settled(place, run.state.record.settled) or (0.0, 0.0))[0]
    return [total / max(n, 1) for total, n in zip(totals, run.counts(), strict=True)]
