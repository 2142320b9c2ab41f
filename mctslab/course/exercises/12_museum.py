"""Notebook 12, the bug museum: two faults between a net and its game, found in public programs.

A sample of Connect Four whose board was mirrored but whose policy was not, so that half of what the
net learned was wrong and its author wondered why it did not help. And a mask of zeros over the
logits of illegal moves, which gives them a probability because the exponential of 0 is 1.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab.course.checking.cases import FROM_MODEL, Case, Near, Words
from mctslab.course.exercise import exercise

Floats: TypeAlias = npt.NDArray[np.float64]
Samples: TypeAlias = list[tuple[Floats, Floats]]

# museum_mirror


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


def _mirror_variation(rng: np.random.Generator) -> Case:
    """A sample of a board drawn with X (own), O (opponent's) and dots; rows above are empty."""
    rows = ["".join(row) for row in rng.choice(list("XO"), (int(rng.integers(1, 6)), 7))]
    policy = (rng.permutation(7) / 32).tolist()
    squares = np.array([*["." * 7] * (6 - len(rows)), *rows]).view("U1").reshape(6, 7)

    def arguments() -> tuple[Floats, Floats]:
        return np.stack([squares == "X", squares == "O"]).astype(float), np.array(policy)

    shown = f"museum_mirror(planes, policy) of{_as_text(*arguments())}"
    return Case(arguments, shown=shown, use=_mirror_seen)


@exercise(
    start="policy[::-1] => policy",
    faulty="samples.append((mirrored, policy))",
    variation=_mirror_variation,
)
def museum_mirror(planes: Floats, policy: Floats) -> Samples:
    """A sample of Connect Four and its mirror image; planes [C, 6, 7], a policy of 7 columns."""
    samples = [(planes, policy)]
    mirrored = np.flip(planes, axis=2)
    samples.append((mirrored, policy[::-1]))
    return samples


# museum_legal_priors


def _priors_seen(function: Callable[..., Any], logits: Floats, is_legal: Floats) -> object:
    """The priors, and how many illegal actions have one; it may be too small to be seen."""
    with np.errstate(all="ignore"):
        answer = function(logits, is_legal)
    if np.shape(answer) != is_legal.shape:
        return answer
    others = np.count_nonzero(np.asarray(answer)[is_legal == 0])
    return {"priors": answer, "illegal actions with a prior that is not 0": int(others)}


def _priors_variation(rng: np.random.Generator) -> Case:
    number = int(rng.integers(1, 8))
    logits = rng.normal(rng.choice((-1000, 0, 1000)), 20, number)
    is_legal = rng.random(number) < 0.6
    legal = rng.integers(number)
    is_legal[legal] = True
    if rng.random() < 0.2:
        logits[legal] = 0.0  # a number like any other, even where a mask makes zeros
    found = Near(FROM_MODEL, 1e-7)
    return Case(lambda: (logits.copy(), is_legal.copy()), found, use=_priors_seen)


@exercise(
    start="np.where(is_legal, logits, -np.inf) => logits * is_legal",
    faulty="masked = logits * is_legal",
    variation=_priors_variation,
    points=2,
)
def museum_legal_priors(logits: Floats, is_legal: Floats) -> Any:
    """The priors of all actions, [A]: a softmax over the legal ones, 0 for the others."""
    masked = np.where(is_legal, logits, -np.inf)
    weights = np.exp(masked - masked.max())
    return weights / weights.sum()
