"""The short names of players: each makes the player that it names, and what is none is refused."""

import re
from pathlib import Path

import pytest

from mctslab import players
from mctslab.players.names import KINDS, WORDS
from tests.games.playing import player_of

NAMES = """random greedy roxanne roxanne5 heuristic flat:100 flat:2s:roxanne uct:1 uct:1000 uct:2s
uct:0.5s uct:50:uniform uct:50:roxanne uct:2s:roxanne5 uct+solver:50 uct+solver:2s:roxanne puct:100
puct:0.5s puct:100:rollout puct:100:uniform puct:50:roxanne puct:50:threats puct:50:static
puct+reuse:50:static puct+solver:50 puct+solver:0.5s:static puct+parent:50
puct+solver+parent+reuse:50:static puct+endgame:50 puct+endgame+solver:50
alphabeta:1 alphabeta:4 alphabeta:2s alphabeta:0.5s"""

UNKNOWN = """nobody Random random:5 random: roxanne:nine uct uct: uct:many uct:2m uct:s uct:1.5
uct:100:best uct:100: uct:100:roxanne:5 uct::roxanne :100 greedy:5 flat flat: flat:many
flat:100:best flat:100:greedy uct+solver flat+solver:100 uct+:100 solver:100 puct puct:many
puct:100:clever puct:100:threats:2 puct+solver puct+solver:many puct+solver:100:clever puct+:100
puct+prove:100 puct+endgame+endgame:100 puct+endgame9:100 uct+endgame:100 puct+reuse9:100
puct+reuse+reuse:100 uct+reuse:100 alphabeta+parent:2 alphabeta alphabeta:
alphabeta:many alphabeta:2m alphabeta:4:roxanne book book: book:x.sqlite book:x.sqlite: book::uct:4
book+reuse:x.sqlite:random net net: net+clever:x:60
uct:1_000 uct:+100 uct:٣ uct:007 uct:-1s uct:nans uct:1e3s uct:1_0s puct:+1 alphabeta:1_0 mine:٣
net:gomoku6_4:٣"""

IMPOSSIBLE_BUDGETS = {
    "uct:0": "num_simulations=0 is not possible",
    f"puct:{10**30}": f"={10**30} is not possible",
    "uct:0s": "at most 1,000,000,000, got 0.0",
    "alphabeta:0": "depth=0 is not possible",
    "alphabeta:1000": "depth=1000 is not possible",
}


def test_a_player_bears_the_name_it_was_made_from():
    for name in NAMES.split():
        assert player_of(name).name == name


def test_an_unknown_name_is_answered_with_the_known_ones():
    words = ("heuristic", "book:FILE:PLAYER", "uniform", "roxanne5", "EVALUATOR one of rollout",
             "DEPTH a number of plies", "(2s)",
             "OPTIONS are none, one or more of +endgame, +parent, +reuse, +solver.")  # fmt: skip
    for name in ["", *UNKNOWN.split()]:
        with pytest.raises(ValueError, match="There is no player") as error:
            player_of(name)
        assert repr(name) in str(error.value)
        for known in words:
            assert known in str(error.value), (name, known)


def test_the_page_about_players_has_a_row_for_each_form_and_names_every_choice():
    page = (Path(players.__file__).parents[2] / "docs" / "players.md").read_text("utf-8")
    rows = [row.split(" | ")[0] for row in page.splitlines() if row.startswith("| `")]
    assert [form for row in rows for form in re.findall("`(.+?)`", row)] == [*KINDS]
    for word in ("ROLLOUT", "EVALUATOR", "OPTIONS"):
        (line,) = re.findall(rf"^- {word} .+?(?=\n- |\n\n)", page, re.DOTALL | re.MULTILINE)
        for choice in WORDS[word].about.partition("of ")[2].split(", "):
            assert f"`{choice}`" in line


def test_an_impossible_budget_is_refused_when_the_player_is_made():
    for name, reason in IMPOSSIBLE_BUDGETS.items():
        with pytest.raises(ValueError, match=r"is no|is not possible|must be") as error:
            player_of(name)
        assert reason in str(error.value), name
