"""What notebook 12 says is so, and stays so with another seed."""

import numpy as np
import pytest
import torch

from mctslab import games, net
from mctslab.net.learning import make_optimizer, policy_entropy, training_step
from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "12_policy_value_net")
FOUR = net.InputPlanes()


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


@pytest.fixture
def budget(names, monkeypatch):
    """Give the notebook's functions another budget than the short run's."""

    def change(**numbers):
        for name, number in numbers.items():
            monkeypatch.setitem(names["learn"].__globals__, name, number)

    return change


# What a net sees


def test_a_ply_earlier_the_first_two_planes_have_changed_places(names):
    quiet = names["quiet"]
    later, earlier = net.encode(quiet, FOUR), net.encode(quiet[:-1], FOUR)
    last = later[2]

    np.testing.assert_array_equal(earlier[1], later[0])
    np.testing.assert_array_equal(earlier[0] + last, later[1])
    assert (later[3] == 1).all()
    assert (earlier[3] == 0).all()


def test_the_pattern_is_found_three_times_around_e5_and_twice_around_f6(names):
    found, board = names["found"][0].numpy(), games.Gomoku(size=9)
    at = {name: found.flat[board.string_to_action(name)] for name in ("E5", "F6")}

    assert at == {"E5": 3, "F6": 2}
    assert (found == 3).sum() == 1


@pytest.mark.parametrize("seed", [2, 3])
def test_news_goes_a_square_farther_with_each_convolution(names, seed):
    torch.manual_seed(seed)
    tower = net.PolicyValueNet(names["tower"].config).eval()
    features, sides = names["pair"], []
    with torch.no_grad():
        for layer in (tower.stem, *tower.tower):
            features = layer(features)
            news = (features[0] != features[1]).any(dim=0).nonzero()
            sides.append((news.max(0).values - news.min(0).values + 1).tolist())

    assert sides == [[3, 3], [7, 7], [11, 11], [15, 15]]


# The net


def test_on_the_large_board_a_dense_policy_head_outweighs_everything_else(names):
    parts = names["counts"]

    assert parts["policy_head"] > sum(parts.values()) / 2
    large = net.PolicyValueNet(net.NetConfig.for_game(games.Gomoku(size=15), num_filters=16))
    assert sum(parts.values()) == large.num_parameters
    small = net.PolicyValueNet(names["config"])
    assert sum(p.numel() for p in small.tower.parameters()) > small.num_parameters / 2


@pytest.mark.parametrize("seed", [5, 6])
def test_in_training_the_answer_depends_on_the_batch_and_in_play_it_does_not(names, seed):
    torch.manual_seed(seed)
    a_net = net.PolicyValueNet(names["config"])
    planes = torch.from_numpy(net.encode_batch([names["game"][:n] for n in range(1, 10)], FOUR))
    gaps = {}
    for is_training in (True, False):
        a_net.train(is_training)
        with torch.no_grad():
            gaps[is_training] = abs(a_net(planes[-1:])[1][0] - a_net(planes)[1][-1]).item()

    assert gaps[True] > 100 * gaps[False]
    assert gaps[False] < 1e-6


# Lessons


def test_the_teachers_samples_are_sound(names):
    for game in names["test_games"]:
        np.testing.assert_allclose(game.policies.sum(axis=1), 1, rtol=1e-5)
        occupied = game.planes[:, :2].sum(axis=1).reshape(len(game.values), -1)
        assert (game.policies[occupied == 1] == 0).all()
        assert (game.values[1:] == -game.values[:-1]).all(), "turns alternate"
        assert set(np.unique(game.values)) <= {-1, 0, 1}


def test_white_wins_the_short_game_and_the_labels_say_so(names):
    assert names["white_wins"][-1].returns() == (-1, 1)
    assert len(names["white_wins"]) == 9


def test_a_sample_is_drawn_as_the_board_that_it_was_made_of(names):
    policy = np.zeros(36)
    policy[7] = 0.75
    planes = net.encode(names["game"], FOUR)  # Black to move
    picture = names["as_board"](planes, policy).svg
    stones = names["game"][-1].board().stones

    for square, stone in enumerate(stones):
        assert (f'data-square="{square}" data-player="{stone}"' in picture) == (stone >= 0)
    assert picture.count("data-heat") == 1
    assert 'data-heat="7"' in picture


@pytest.mark.parametrize("seed", [2, 7])
def test_one_batch_goes_to_the_entropy_of_its_target_and_no_farther(names, budget, seed):
    budget(NUM_BATCH_STEPS=150)
    torch.manual_seed(seed)
    value, policy = names["learn"](net.PolicyValueNet(names["config"]), names["sixteen"])[-1]
    floor = policy_entropy(names["sixteen"].policies)

    assert value < 0.01
    assert floor - 1e-4 < policy < floor + 0.02


def test_two_samples_that_contradict_each_other_leave_an_eighth(names, budget):
    budget(NUM_BATCH_STEPS=150)
    torch.manual_seed(3)
    samples = net.Samples(names["planes"], names["policies"], names["values"])
    sixteen = names["sixteen"]
    planes, values = sixteen.planes.copy(), sixteen.values.copy()
    planes[1], values[1] = planes[0], -values[0]
    samples = sixteen._replace(planes=planes, values=values)
    value, _ = names["learn"](net.PolicyValueNet(names["config"]), samples)[-1]

    assert value == pytest.approx(2 / 16, abs=0.01)


def test_decay_shortens_the_weights(names, budget):
    budget(NUM_BATCH_STEPS=60)
    norms = []
    for decay in (0, 1):
        torch.manual_seed(3)
        pupil = net.PolicyValueNet(names["config"])
        names["learn"](pupil, names["sixteen"], decay)
        norms.append(net.weight_norm(pupil))

    assert norms[1] < 0.95 * norms[0]


# Symmetry


def test_an_exam_asks_for_the_squared_error_and_for_how_far_the_policy_is_from_its_target(names):
    game, pupil = names["test_games"][0], names["first_net"].eval()
    with torch.no_grad():
        logits, values = pupil(torch.from_numpy(game.planes))
    value = np.square(values.numpy() - game.values).mean()
    distance = torch.nn.functional.kl_div(
        logits.log_softmax(1), torch.from_numpy(game.policies), reduction="batchmean"
    )
    marks = names["exam"](pupil)

    assert marks.shape == (len(names["test_games"]), 2)
    assert marks[0] == pytest.approx([value, float(distance)], abs=1e-4)


def test_turned_samples_help_and_a_forgotten_policy_is_never_learnt(names, budget):
    """Smaller than in the notebook, and with another seed."""
    shell = names["learn"].__globals__
    budget(rng=np.random.default_rng(5), NUM_STEPS=200)
    budget(lessons=names["joined"]([names["taught"]() for _ in range(150)]))
    budget(test_games=[names["taught"]() for _ in range(60)])
    marks = {}
    for how in ("as played", "all turned", "policy forgotten"):
        torch.manual_seed(5)
        pupil = net.PolicyValueNet(names["config"])
        optimizer = make_optimizer(pupil, 3e-3)
        before = names["exam"](pupil).mean(axis=0)
        for samples in names["batches"](how):
            training_step(pupil, optimizer, samples)
        marks[how] = names["exam"](pupil).mean(axis=0)
    value, policy = zip(*(marks[how] for how in marks), strict=True)

    assert shell["NUM_STEPS"] == 200
    assert value[0] > 1.05 > value[1]
    assert abs(value[1] - value[2]) < 0.2
    assert policy[1] < policy[0] - 0.05
    assert abs(policy[2] - before[1]) < 0.08 < before[1] - policy[1]


# Heads


@pytest.mark.parametrize("seed", [11])
def test_a_dense_head_knows_the_upper_rows_only_and_a_pooled_one_the_lower_ones_too(
    names, budget, seed
):
    budget(rng=np.random.default_rng(seed), NUM_HEAD_STEPS=60)
    shares = {}
    for heads in ("dense", "pooled"):
        ask = names["specialist"](heads)
        for where, rows in (("upper", range(4)), ("lower", range(5, 9))):
            planes, policies, _ = names["fours"](rows, 200)
            right = ask(planes).policy_logits.argmax(1) == policies.argmax(1)
            shares[heads, where] = right.mean()

    assert min(shares["dense", "upper"], shares["pooled", "upper"]) > 0.95
    assert shares["dense", "lower"] < 0.1
    assert shares["pooled", "lower"] > 0.5


def test_a_four_has_one_end_and_the_policy_names_it(names):
    planes, policies, _ = names["fours"](range(9), 50)
    for plane, policy in zip(planes, policies, strict=True):
        row, col = divmod(int(policy.argmax()), 9)
        assert plane[:2, row, col].sum() == 0
        assert plane[0, row, max(0, col - 4) : col + 5].sum() >= 4


# Four honest tests


def test_every_fault_is_found_and_by_these_tests(names, budget):
    budget(NUM_BATCH_STEPS=120)
    failed = {
        fault: [test.__name__ for test in names["TESTS"] if not test(names["PARTS"] | changes)]
        for fault, changes in names["FAULTS"].items()
    }

    assert failed == {
        "none": [],
        "values [N, 1]": ["shapes", "one_batch"],
        "softmax twice": ["one_batch"],
        "value cut off": ["one_batch"],
        "policy unturned": ["symmetry"],
        "z for Black": ["by_hand"],
    }


# Asked


def test_the_quick_way_answers_the_same(names):
    planes = names["lessons"].planes[:40]
    logits, values = names["by_pytorch"](planes)
    answer = names["quick"](planes)

    np.testing.assert_allclose(answer.policy_logits, logits, atol=1e-4)
    np.testing.assert_allclose(answer.values, values, atol=1e-4)


def test_a_speed_is_counted_in_positions(names, monkeypatch):
    ticks = iter([0.0, *([0.005] * 3), 1.0, 2.0])
    monkeypatch.setattr(names["time"], "perf_counter", lambda: next(ticks))
    asked = []

    assert names["speed"](lambda planes: asked.append(len(planes)), 8) == 8 * 3 / 2
    assert asked == [8] * 4


def test_both_matches_differ_in_the_net_only(names):
    trained, untrained = names["matches"]["trained"], names["matches"]["untrained"]

    assert trained.names[1] == untrained.names[1] == "uct:200"
    openings = [[game.actions[:2] for game in match.games] for match in (trained, untrained)]
    assert openings[0] == openings[1]
