"""What the side road on page and package says of both is so."""

import re

from mctslab.net.reference import read_reference
from tests.notebooks.reading import PROJECT


def test_the_table_of_differences_has_the_numbers_of_the_package(cells):
    file = PROJECT / "notebooks" / "results" / "13_reference.jsonl"
    config = read_reference(file).settings
    rows = re.findall(r"^\| ([\w ]+) \| .* \| (.*) \|$", cells["differences"], re.MULTILINE)
    package = dict(rows)
    self_play = config.self_play

    assert package["random first moves"] == f"0 to {self_play.opening_plies}"
    assert package["tower"].startswith(f"{config.num_blocks}")
    assert package["buffer"] == f"{config.replay_capacity:,} positions"
    assert package["iteration"].startswith(f"{config.num_games} games from beginning to end; ")
    assert package["iteration"].endswith(
        f"{config.steps_per_iteration} steps of {config.batch_size}"
    )
    assert f"for {self_play.temperature_plies} plies" in package["played move"]
    assert f"{self_play.gumbel.num_considered} moves" in package["root"]
