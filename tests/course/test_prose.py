"""The file format of an exercise's words: what a way to make a mistake stands for."""

import re
from pathlib import Path

import pytest

from mctslab.course import exercises
from mctslab.course.prose import NUMBERS, edits_of_way

LISTS = sorted(Path(exercises.__file__).parent.glob("*.md"))


def scaled(value, factor):
    """The value, times the factor, plus 1."""
    total = value * factor
    return total + 1


def sources_of(way):
    """For each mistake that the way stands for, the new texts of its edits."""
    return [tuple(edit.new for edit in edits) for edits in edits_of_way(way, scaled)]


@pytest.mark.parametrize(
    ("way", "sources"),
    [
        ("total + 1 => total", [("total",)]),
        ("total + 1\n=> total\n=> value", [("total",), ("value",)]),
        ("total + 1 => total\n=> value", [("total",), ("value",)]),
        ("\n+ 1 =>\n=> + 2", [("",), ("+ 2",)]),
        ("+ 1 => + <a number>", [(f"+ {number}",) for number in NUMBERS if number != "1"]),
        ("return total => return <a name>", [("return value",), ("return factor",)]),
        ("* factor => * <a name>", [("* value",)]),
        ("value * factor\n=> value\n=> factor\n+ 1 => + 2", [("value", "+ 2"), ("factor", "+ 2")]),
        ("- total = value * factor\n+ total = value", [("total = value",)]),
        ("-1 => 1\n=> 2", [("1",), ("2",)]),
    ],
)
def test_a_left_side_has_several_right_sides_and_a_placeholder_several_meanings(way, sources):
    assert sources_of(way) == sources


@pytest.mark.parametrize(
    ("way", "words"), [("total", "has no right side"), ("nowhere => <a name>", "occurs 0 times")]
)
def test_what_is_no_edit_is_an_error(way, words):
    with pytest.raises(ValueError, match=words):
        sources_of(way)


def test_a_mistake_has_at_most_three_ways():
    for path in LISTS:
        for block in re.findall(r"(?ms)^```diff\n(.*?)^```", path.read_text("utf-8")):
            assert len(block.split("\n\n")) <= 3, (path.name, block)
