"""The arena panel's pure functions: times, keys, places. No page, no kernel."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.modules import Module


@pytest.fixture(scope="module")
def logic(chromium: Browser) -> Iterator[Module]:
    module = Module(chromium, "common.js", "words.js", "run_panel.js", "arena_panel.js")
    yield module
    module.close()


def test_times_are_read_like_a_clock(logic: Module) -> None:
    times = logic.run("() => [0, 0.6, 59.6, 65, 600, 3599, 3600, 7301].map(clockTime)")
    assert times == ["0:00", "0:01", "1:00", "1:05", "10:00", "59:59", "1:00:00", "2:01:41"]


@pytest.mark.parametrize(
    ("key", "ply", "expected"),
    [
        ("ArrowLeft", 3, 2),
        ("ArrowLeft", 0, 0),
        ("ArrowRight", 3, 4),
        ("ArrowRight", 9, 9),
        ("Home", 5, 0),
        ("End", 5, 9),
        ("ArrowUp", 5, None),
        ("a", 5, None),
    ],
)
def test_keys_lead_to_plies(logic: Module, key: str, ply: int, expected: int | None) -> None:
    assert logic.run("([key, ply]) => plyAfterKey(key, ply, 9)", [key, ply]) == expected


def test_places_stay_on_their_strip(logic: Module) -> None:
    places = logic.run("() => [-9, -3, 0, 1.5, 3, 9].map(value => place(value, -3, 3))")
    assert places == [0, 0, 0.5, 0.75, 1, 1]


def test_a_list_of_games_is_redrawn_from_where_it_changed(logic: Module) -> None:
    same = logic.run(
        """() => {
            const games = [["a", "1"], ["b", "2"], ["d", "4"]];
            return [samePrefix([], games), samePrefix(games, games),
                samePrefix(games, [...games, ["e", "5"]]),
                samePrefix(games, [["a", "1"], ["b", "2"], ["c", "3"], ["d", "4"]]),
                samePrefix(games, [["a", "0"]])];
        }"""
    )
    assert same == [0, 3, 3, 2, 0]
