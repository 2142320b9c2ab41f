"""Notebook 12, the bug museum: two faults between a net and its game, found in public programs.

A sample of Connect Four whose board was mirrored but whose policy was not, so that half of what the
net learned was wrong and its author wondered why it did not help. And a mask of zeros over the
logits of illegal moves, which gives them a probability because the exponential of 0 is 1.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab.course.checking.comparing import Near, Words
from mctslab.course.exercise import exhibit
from mctslab.course.question import Case

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
        return Words("something that is not a sample of two planes and a policy")
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
    shown = f"museum_mirror(planes, policy) of{_as_text(*_sample(board, policy))}"
    return Case(lambda: _sample(board, policy), expected, shown, _mirror_seen)


def _mirror_cases() -> list[Case]:
    return [
        _mirror_case("X......", (0, 1, 0, 0, 0, 0, 0), "......X", (0, 0, 0, 0, 0, 1, 0)),
        _mirror_case(
            "...O... ..XX..O",
            (0.125, 0.5, 0, 0.25, 0.0625, 0.0625, 0),
            "...O... O..XX..",
            (0, 0.0625, 0.0625, 0.25, 0, 0.5, 0.125),
        ),
    ]


def _mirror_variation(rng: np.random.Generator) -> Case:
    rows = ["".join(row) for row in rng.choice(list("XO"), (int(rng.integers(1, 6)), 7))]
    shares = [float(share) for share in rng.permutation(7) / 32]
    mirrored = " ".join(row[::-1] for row in rows)
    return _mirror_case(" ".join(rows), shares, mirrored, shares[::-1])


@exhibit(
    start="policy[::-1] => policy",
    faulty="samples.append((mirrored, policy))",
    cases=_mirror_cases,
    variation=_mirror_variation,
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
    # By hand: the logits are logarithms of 2, 3, ..., or so far apart that one takes everything.
    two, three = 0.6931471805599453, 1.0986122886681098
    return [
        _priors_case((0, 0, 0), (True, False, True), (0.5, 0.0, 0.5)),
        _priors_case((two, three, 0), (True, False, True), (2 / 3, 0.0, 1 / 3)),
        # An illegal move with such a large logit that nothing is left for the others.
        _priors_case((0, two, 1000), (True, True, False), (1 / 3, 2 / 3, 0.0)).with_about(
            "An illegal move has such a large logit here that a softmax over all moves "
            "leaves nothing for the legal ones."
        ),
    ]


def _priors_variation(rng: np.random.Generator) -> Case:
    number = int(rng.integers(1, 8))
    logits = rng.normal(rng.choice((-1000, 0, 1000)), 20, number)
    is_legal = rng.random(number) < 0.6
    is_legal[rng.integers(number)] = True
    weights = np.where(is_legal, np.exp(logits - logits[is_legal].max()), 0)
    return _priors_case(logits.tolist(), is_legal.tolist(), tuple(weights / weights.sum()))


@exhibit(
    start="np.where(is_legal, logits, -np.inf) => logits * is_legal",
    faulty="masked = logits * is_legal",
    cases=_priors_cases,
    variation=_priors_variation,
)
def museum_legal_priors(logits: Floats, is_legal: Floats) -> Any:
    """The priors of all actions, [A]: a softmax over the legal ones, 0 for the others."""
    masked = np.where(is_legal, logits, -np.inf)
    weights = np.exp(masked - masked.max())
    return weights / weights.sum()
