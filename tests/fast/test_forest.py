"""Many searches at once find out what each of them would find out by itself."""

from collections.abc import Sequence

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.games import IllegalActionError, State

GAMES = {
    "tictactoe": games.TicTacToe(),
    "connect_four": games.ConnectFour(),
    "reversi 4x4": games.Reversi(size=4),
    "gomoku 6x6": games.Gomoku(size=6, in_a_row=4),
}


def policy_logits(state: State) -> list[float]:
    """Something for every action, legal or not."""
    return [action * 7 % 5 / 3 for action in range(state.num_actions)]


def value(state: State) -> float:
    """Something in [-1, 1] for the player to move."""
    return (
        sum((square + 3) * (stone or 0) for square, stone in enumerate(state.board().stones))
        % 9
        / 4
        - 1
    )


def evaluator(states: Sequence[State], rng: np.random.Generator) -> search.Evaluation:
    """The same, as `puct_search` asks for it."""
    values, priors = [], []
    for state in states:
        worth = value(state)
        values.append((worth, -worth) if state.current_player == 0 else (-worth, worth))
        weights = np.exp([policy_logits(state)[action] for action in state.legal_actions()])
        priors.append(weights / weights.sum())
    return search.Evaluation(values, priors)


def simulate(forest: fast.Forest, numbers: Sequence[int]) -> None:
    """So many simulations in each tree."""
    left = np.array(numbers)
    while left.any():
        walks = forest.gather(left)
        leaves = [forest.leaf(walk) for walk in walks]
        num_actions = forest.states[0].num_actions
        logits = np.array([policy_logits(leaf) for leaf in leaves]).reshape(-1, num_actions)
        forest.apply(walks, np.array([value(leaf) for leaf in leaves]), logits)
        left -= forest.gathered


def opening(state: State, plies: int) -> State:
    for _ in range(plies):
        state = state.child(state.legal_actions()[0])
    return state


@pytest.mark.parametrize("leaves", [1, 4])
@pytest.mark.parametrize("first", GAMES.values(), ids=GAMES)
def test_every_tree_is_that_of_a_search_of_its_own(first: State, leaves: int) -> None:
    """Over several moves of each game, with what was known of the new position."""
    starts = [opening(first, plies) for plies in range(4)]
    forest = fast.Forest(starts, capacity=20_000, leaves_per_tree=leaves)
    roots: list[search.Node | None] = [None] * 4
    for _ in range(4):
        simulate(forest, [40, 60, 80, 100])
        for tree in range(4):
            alone = search.puct_search(
                forest.states[tree],
                evaluator=evaluator,
                num_simulations=40 + 20 * tree,
                batch_size=leaves,
                rng=np.random.default_rng(1),
                root=roots[tree],
            )
            children = forest.children(tree)
            assert [each[:2] for each in children] == [each[:2] for each in alone.children]
            numbers = [(each.mean_value, each.prior) for each in alone.children]
            assert [(each.mean_value, each.prior) for each in children] == pytest.approx(
                np.array(numbers)
            )
            assert forest.value(tree) == pytest.approx(alone.root.mean_value)
            counts = forest.visit_counts(tree)
            assert counts.sum() == sum(child.visit_count for child in alone.children)
            roots[tree] = alone.root
            forest.go_on(tree, alone.best_action)
            if forest.states[tree].is_terminal:
                forest.start_over(tree, first)
                roots[tree] = None


def test_only_what_needs_an_answer_is_asked_for():
    """A tree without simulations left is left alone; finished games and twins are no questions."""
    won = games.TicTacToe()
    for action in (0, 3, 1, 4):
        won = won.child(action)
    forest = fast.Forest([games.TicTacToe(), won], capacity=2_000, leaves_per_tree=3)
    assert forest.gather([0, 9]) == [3]  # the root of the second tree, once
    assert forest.gathered.tolist() == [0, 1]
    forest.apply([3], np.array([0.0]), np.array([[0.0, 0, 9, 0, 0, 0, 0, 0, 0]]))
    assert forest.gather([0, 9]) == []  # square 2 wins, by a prior that sees nothing else
    forest.apply([], np.zeros(0), np.zeros((0, 9)))
    best = max(forest.children(1), key=lambda child: child.visit_count)
    assert (best.action, best.mean_value) == (2, 1.0)
    assert not forest.has_children(0)


def test_noise_is_mixed_into_the_root_only_and_is_gone_with_the_next_move():
    forest = fast.Forest([games.TicTacToe()] * 2, capacity=20_000)
    simulate(forest, [1, 1])
    clean = [child.prior for child in forest.children(0)]
    rng = np.random.default_rng(1)
    noise = search.DirichletNoise(1.0, 0.5)
    forest.mix_noise(0, noise, rng)
    mixed = [child.prior for child in forest.children(0)]
    assert mixed == noise.mixed(clean, np.random.default_rng(1))
    assert [child.prior for child in forest.children(1)] == clean
    simulate(forest, [200, 0])
    action = forest.children(0)[4].action
    forest.go_on(0, action)
    state = games.TicTacToe().child(action)
    expected = evaluator([state], rng).priors
    assert expected is not None
    assert [child.prior for child in forest.children(0)] == pytest.approx(list(expected[0]))


def test_without_reuse_a_tree_begins_anew():
    forest = fast.Forest([games.TicTacToe()], capacity=20_000)
    simulate(forest, [100])
    forest.go_on(0, 4, reuse=False)
    assert not forest.has_children(0)
    assert forest.states[0] == games.TicTacToe().child(4)


def test_a_full_tree_is_searched_on():
    forest = fast.Forest([games.Gomoku(size=6, in_a_row=4)], capacity=100)
    simulate(forest, [300])
    assert forest.visit_counts(0).sum() == 299


def test_what_is_wrong_is_named():
    with pytest.raises(ValueError, match="there is none"):
        fast.Forest([], capacity=100)
    with pytest.raises(ValueError, match="capacity=9 is too few"):
        fast.Forest([games.TicTacToe()], capacity=9)
    forest = fast.Forest([games.TicTacToe()], capacity=100)
    forest.go_on(0, 4)
    with pytest.raises(IllegalActionError):
        forest.go_on(0, 4)
