"""A check asks what the text asks, no more and no less: answers that were judged wrongly before."""

import numpy as np
import pytest

from mctslab.course import exercises
from mctslab.course.checking.judging import judge
from mctslab.course.prose import edits_in, source_with
from mctslab.course.result import Outcome
from mctslab.course.valued_games import turns_at_random

RIGHT = [
    (  # in the games of the notebook nobody loses by a move of their own
        "careful",
        "ends = [after] => ends = []",
        "after.returns()[mover] == 1 => after.returns()[mover] != 0",
    ),
    (
        "threats",
        "stones[square] for square in four => stones[square] for square in np.array(four)",
        "found.add(square) => found.add(np.int64(square))",
    ),
]
WRONG = [
    (
        "positions in a batch: [1]",
        "evaluate",
        "= net(torch => = zip(*map(net, torch",
        "dtype=torch.float32)) => dtype=torch.float32)[:, None]))",
        "values.tolist() => torch.cat(values).tolist()",
        "logits[legal] => logits[0, legal]",
    )
]

SAID = [
    ("illegal actions with a prior", "museum_legal_priors", "-np.inf => logits.min() - 25"),
    ("the root: its mover is player 0", "reuse_tree", "mover = state. => mover = 1 - state."),
    ("priors that are not the evaluator's", "puct_simulation", "prior=prior => prior=0"),
    ("One of the two colours can be", "fair_match", "number % 2 => 0"),
]


def check(name, *edits):
    """What a check says of the model answer after these edits."""
    exercise = getattr(exercises, name)
    source = source_with(exercise.model_answer, edits_in("\n".join(edits)))
    return judge(exercise, exercise.defined_by(source))


@pytest.mark.parametrize("answer", RIGHT)
def test_an_answer_that_does_what_the_text_asks_is_right(answer):
    assert check(*answer).outcome is Outcome.RIGHT


@pytest.mark.parametrize("row", [*WRONG, *SAID])
def test_an_answer_that_does_not_do_what_the_text_asks_is_wrong(row):
    words, *answer = row
    result = check(*answer)
    assert result.outcome is Outcome.WRONG
    assert words in str(result)


def test_at_the_random_ends_of_a_game_either_player_is_to_move():
    games = [turns_at_random(np.random.default_rng(seed), 0) for seed in range(20)]
    assert {end.player for game in games for end in game.options} == {0, 1}


def test_a_stub_is_told_what_its_cell_does():
    assert "run its cell, which ends with `exercises.ucb1.check(ucb1)`" in str(
        judge(exercises.ucb1)
    )
