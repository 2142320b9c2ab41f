"""Notebook 12, the bug museum: two faults between a net and its game, found in public programs.

A sample of Connect Four whose board was mirrored and whose policy was not, so that half of what the
net learnt was wrong, and its author wondered why it did not help. And a mask of zeros over the
logits of illegal moves, which leaves them probabilities, as the exponential of 0 is 1.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab.course.comparing import Near, Words
from mctslab.course.exercise import exhibit
from mctslab.course.question import Case, edits_in, mistakes_in

Floats: TypeAlias = npt.NDArray[np.float64]
Samples: TypeAlias = list[tuple[Floats, Floats]]

# museum_mirror


def _sample(board: str, policy: Sequence[float]) -> tuple[Floats, Floats]:
    """A sample of a board drawn with X (own), O (opponent's) and dots, row by row."""
    rows = board.split()
    empty = ["." * len(rows[0])] * (6 - len(rows))
    squares = np.array([list(row) for row in empty + rows])
    return np.stack([squares == "X", squares == "O"]).astype(float), np.array(policy)


def _as_text(planes: object, policy: object) -> Words:
    """The lowest rows of a sample's board, and its policy."""
    try:
        own, opponent = np.asarray(planes, dtype=float)
        shares = " ".join(f"{float(share):g}" for share in np.asarray(policy).reshape(-1))
        signs = np.where(own == 1, "X", np.where(opponent == 1, "O", "."))
        rows = [" ".join(row) for row in signs if set(row) != {"."}]
    except (TypeError, ValueError):
        return Words("something that is no sample of two planes and a policy")
    return Words("\n" + "\n".join([*rows, f"policy {shares}"]))


def _mirror_seen(function: Callable[..., Any], planes: Floats, policy: Floats) -> object:
    """The samples of an answer as texts."""
    answer = function(planes, policy)
    try:
        samples = [_as_text(one, other) for one, other in answer]
    except (TypeError, ValueError):
        return answer
    if len(samples) != 2:
        return {"the sample": Words(f"{len(samples)} samples"), "its mirror image": Words("-")}
    return dict(zip(("the sample", "its mirror image"), samples, strict=True))


def _mirror_case(
    board: str, policy: Sequence[float], mirrored: str, mirrored_policy: Sequence[float]
) -> Case:
    expected = {
        "the sample": _as_text(*_sample(board, policy)),
        "its mirror image": _as_text(*_sample(mirrored, mirrored_policy)),
    }
    told = f"museum_mirror(planes, policy) of{_as_text(*_sample(board, policy))}"
    return Case(lambda: _sample(board, policy), expected, told, _mirror_seen)


def _mirror_cases() -> list[Case]:
    return [
        _mirror_case("X......", (0, 1, 0, 0, 0, 0, 0), "......X", (0, 0, 0, 0, 0, 1, 0)),
        _mirror_case(
            "...O... ..XX..O",
            (0.125, 0.5, 0, 0.25, 0.0625, 0.0625, 0),
            "...O... O..XX..",
            (0, 0.0625, 0.0625, 0.25, 0, 0.5, 0.125),
        ),
        _mirror_case(
            "...X...", (0, 0, 0.25, 0.75, 0, 0, 0), "...X...", (0, 0, 0, 0.75, 0.25, 0, 0)
        ),
    ]


def _mirror_variation(rng: np.random.Generator) -> Case:
    rows = ["".join(row) for row in rng.choice(list("XO"), (int(rng.integers(1, 6)), 7))]
    shares = [float(share) for share in rng.permutation(7) / 32]
    mirrored = " ".join(row[::-1] for row in rows)
    return _mirror_case(" ".join(rows), shares, mirrored, shares[::-1])


@exhibit(
    title="A mirror for the board alone",
    start=edits_in("policy[::-1] => policy"),
    faulty="samples.append((mirrored, policy))",
    cases=_mirror_cases,
    variation=_mirror_variation,
    hints=(
        "Take a board with one stone in the left column, and a policy that wants to play beside "
        "it. What does the second sample ask for?",
        "The policy has a number for each column, from left to right. Where is each in the mirror?",
        "`policy[::-1]` for the mirrored board.",
    ),
    when_right="In the public program it was one missing `[::-1]`, and half of all samples taught "
    "a move on the wrong side.",
    mistakes=mistakes_in("""
        the policy mirrored in both samples
            The first sample is the one that was played, and stays as it is.
            (planes, policy) => (planes, policy[::-1])
        the policy mirrored in the sample that was played
            It is the second sample whose board is mirrored, and so its policy.
            (planes, policy) => (planes, policy[::-1])
            (mirrored, policy[::-1]) => (mirrored, policy)
        neither of the two mirrored
            Then both samples are the same. The mirror image needs both: planes and policy.
            (mirrored, policy[::-1]) => (planes, policy)
        the policy mirrored and the planes not
            That is the same fault from the other side. Left and right change places in both.
            (mirrored => (planes
        the board turned upside down
            Stones fall down: only left and right may be exchanged, which is the last axis, 2.
            axis=2 => axis=1
        the board turned by half
            That exchanges top and bottom as well, and stones would hang from above.
            axis=2 => axis=(1, 2)
        the colours exchanged
            The first axis is that of the planes. Reversed, it makes own stones of the opponent's.
            axis=2 => axis=(0, 2)
        the policy shifted by a column
            In the mirror image column c becomes column 6 - c.
            policy[::-1] => np.roll(policy[::-1], 1)
    """),
)
def museum_mirror(planes: Floats, policy: Floats) -> Samples:
    """A sample of Connect Four and its mirror image; planes [C, 6, 7], a policy of 7 columns."""
    samples = [(planes, policy)]
    mirrored = np.flip(planes, axis=2)
    samples.append((mirrored, policy[::-1]))
    return samples


# museum_legal_priors


def _priors_case(
    logits: Sequence[float], is_legal: Sequence[bool], expected: tuple[float, ...]
) -> Case:
    def arguments() -> tuple[Floats, Floats]:
        return np.array(logits, dtype=float), np.array(is_legal)

    return Case(arguments, Near(expected, 1e-7), use=_plain_priors)


def _plain_priors(function: Callable[..., Any], logits: Floats, is_legal: Floats) -> object:
    with np.errstate(all="ignore"):
        answer = function(logits, is_legal)
    return answer.tolist() if isinstance(answer, np.ndarray) else answer


def _priors_cases() -> list[Case]:
    # By hand: the logits are logarithms of 2, 3, ..., or so far apart that one is all.
    two, three = 0.6931471805599453, 1.0986122886681098
    return [
        _priors_case((0, 0, 0), (True, False, True), (0.5, 0.0, 0.5)),
        _priors_case((two, three, 0), (True, False, True), (2 / 3, 0.0, 1 / 3)),
        _priors_case((-two, -three, 0, -1), (True, True, False, False), (0.6, 0.4, 0.0, 0.0)),
        # An illegal move of which the net thinks so much that nothing is left for the others.
        _priors_case((0, two, 1000), (True, True, False), (1 / 3, 2 / 3, 0.0)),
        _priors_case((1000, 1000 + three, 0), (True, True, True), (0.25, 0.75, 0.0)),
        _priors_case((-5, 7), (True, False), (1.0, 0.0)),
        _priors_case((-2000, -2000 + two, 0), (True, True, False), (1 / 3, 2 / 3, 0.0)),
    ]


def _priors_variation(rng: np.random.Generator) -> Case:
    number = int(rng.integers(1, 8))
    logits = rng.normal(0, 20, number)
    is_legal = rng.random(number) < 0.6
    is_legal[rng.integers(number)] = True
    weights = np.where(is_legal, np.exp(logits - logits[is_legal].max()), 0)
    return _priors_case(logits.tolist(), is_legal.tolist(), tuple(weights / weights.sum()))


@exhibit(
    title="A mask that hides nothing",
    start=edits_in("np.where(is_legal, logits, -np.inf) => logits * is_legal"),
    faulty="masked = logits * is_legal",
    cases=_priors_cases,
    variation=_priors_variation,
    hints=(
        "Put in logits of 0 for three moves, one of which is illegal. What comes out for it?",
        "Times 0 the logit is 0. What is the exponential of 0, and for which number is it 0?",
        "`np.where(is_legal, logits, -np.inf)`.",
    ),
    when_right="Whoever plays by such priors takes illegal moves for ordinary ones; and a search "
    "that leaves them out gives the legal ones too little.",
    mistakes=mistakes_in("""
        a filler that is no small logit
            Any finite logit has a probability: -1 has e^-1 times that of 0. For none at all it has
            to be -inf.
            -np.inf => -1.0
        a filler of almost nothing
            -1e-10 is as good as 0, and e^0 is 1. It was meant to be -1e10, in a well-known program,
            and a reader of the change saw it in time.
            -np.inf => -1e-10
        a filler that a logit may be below
            With -1000 it goes well until the legal logits are lower still. -inf is below all of
            them.
            -np.inf => -1000.0
        the illegal moves removed after a softmax over all
            In most positions that is the same. But where an illegal logit is very large, the legal
            probabilities have all become 0, and 0 / 0 is nothing. Remove them before the softmax.
            np.where(is_legal, logits, -np.inf) => logits
            np.exp(masked - masked.max()) => np.exp(masked - masked.max()) * is_legal
        probabilities that do not sum to 1
            What the illegal moves had goes to the legal ones, in proportion.
            np.where(is_legal, logits, -np.inf) => logits
            return weights / weights.sum() => return weights / weights.sum() * is_legal
        an overflow where logits are large
            exp(1000) is beyond all floats: take the largest of the legal logits away first.
            np.where(is_legal, logits, -np.inf) => logits
            np.exp(masked - masked.max()) => np.exp(masked) * is_legal
        shares of the logits themselves
            A logit may be negative. Its exponential is what is shared out.
            np.where(is_legal, logits, -np.inf) => logits * is_legal
            np.exp(masked - masked.max()) => masked
        the legal moves only
            There is a prior for every action of the game: the illegal ones have 0.
            np.where(is_legal, logits, -np.inf) => logits[is_legal]
        the legal and the illegal moves exchanged
            `is_legal` is true where a move may be played.
            logits, -np.inf => -np.inf, logits
        everything for the best move
            Priors tell a search where to look first. One that has 0 is never tried.
            weights / weights.sum() => (masked == masked.max()).astype(float)
    """),
)
def museum_legal_priors(logits: Floats, is_legal: Floats) -> Any:
    """The priors of all actions, [A]: a softmax over the legal ones, 0 for the others."""
    masked = np.where(is_legal, logits, -np.inf)
    weights = np.exp(masked - masked.max())
    return weights / weights.sum()
