"""What the side road on page and package says of both is so."""

import re

from mctslab import games
from mctslab.net import NetConfig, PolicyValueNet, make_optimizer
from mctslab.net.reference import read_reference
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read

RESULTS = PROJECT / "notebooks" / "results"


def test_the_table_of_differences_has_the_numbers_of_both(cells):
    [page] = [path for path in NOTEBOOKS if path.stem == "13_alphazero"]
    page = "\n".join(cell.source for cell in read(page).cells)
    config = read_reference(RESULTS / "13_reference.jsonl").settings
    rows = dict(re.findall(r"^\| ([\w ]+) \| (.* \| .*) \|$", cells["differences"], re.MULTILINE))

    assert rows["random first moves"] == f"0 to 6 | 0 to {config.self_play.opening_plies}"
    assert "opening(game, rng.integers(7), rng)" in page
    assert rows["learning rate"].startswith(
        f"from {config.learning_rate} to {config.final_learning_rate}"
    )
    assert "LinearLR(optimizer, 1.0, 0.1, num_iterations * num_steps)" in page
    assert "lr=3e-3" in page
    assert rows["tower"] == f"2 residual blocks | {config.num_blocks}"
    assert "num_blocks=2" in page
    assert rows["buffer"] == f"40,000 images | {config.replay_capacity:,} positions"
    assert "num_steps, 40_000, rng)" in page
    assert rows["iteration"] == (
        "64 games from beginning to end; 60 steps of 128 samples | "
        f"{config.num_games} games from beginning to end; "
        f"{config.steps_per_iteration} steps of {config.batch_size}"
    )
    assert "num_games=64" in page
    assert "num_steps = np.random.default_rng(seed), Net(game), 60" in page
    assert f"for {config.self_play.temperature_plies} plies" in rows["played move"].split("|")[1]
    assert f"{config.self_play.gumbel.num_considered} moves" in rows["root"].split("|")[1]
    groups = make_optimizer(PolicyValueNet(NetConfig.for_game(games.TicTacToe())), 0.1).param_groups
    assert [group["weight_decay"] > 0 for group in groups] == [True, False]
