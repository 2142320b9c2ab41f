"""A reader can predict before the page tells: no answer is in view around its card."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import nbformat
import pytest

from mctslab.course.predict import Truth
from tests.notebooks.reading import NOTEBOOKS, is_folded, prose, read
from tests.notebooks.running import Executed, Predicted

WORDS_IN_A_ROW = 6
"""So many words of the answer in the same order are no accident."""

NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w.,]*\d)")
LEVEL_OF_INTERVALS = "95"


@dataclass
class Section:
    """What is in view from one heading to the next, without the cards of its predictions."""

    texts: list[str] = field(default_factory=list)
    """Paragraphs and code; of a folded cell, JupyterLab shows the first line."""
    outputs: list[str] = field(default_factory=list)
    predictions: list[Predicted] = field(default_factory=list)


def sections(notebook: Any, run: Executed) -> Iterator[Section]:
    """The sections of a notebook that contain predictions.

    Each has the outputs of the next section as well: after *Run All*, they are below the card.
    """
    found = [Section()]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            first, *others = re.split(r"^(?=#+ )", cell.source, flags=re.MULTILINE)
            found[-1].texts.append(first)
            found += [Section([text]) for text in others]
            continue
        in_view = cell.source.partition("\n")[0] if is_folded(cell) else cell.source
        found[-1].texts.append(in_view)
        if asked := run.predicted.get(cell.id):
            found[-1].predictions += asked
        else:
            found[-1].outputs.append(run.outputs.get(cell.id, ""))
    for section, below in zip(found, [*found[1:], Section()], strict=True):
        if section.predictions:
            yield replace(section, outputs=[*section.outputs, *below.outputs])


def words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text.casefold())


def runs_of_words(text: str) -> set[tuple[str, ...]]:
    """Every run of words; of a shorter text there is none."""
    found = words(text)
    return {tuple(found[n : n + WORDS_IN_A_ROW]) for n in range(len(found) - WORDS_IN_A_ROW + 1)}


def numbers(texts: Iterable[str], least_digits: int = 2) -> set[str]:
    """The numbers with two digits or more, as they are written, without signs."""
    found = {number for text in texts for number in NUMBER.findall(text)} - {LEVEL_OF_INTERVALS}
    return {each for each in found if len(re.sub(r"\D", "", each).lstrip("0")) >= least_digits}


def given_away(predicted: Predicted, section: Section) -> list[str]:
    """What of the answer can be read in the section."""
    truth = predicted.truth
    answer = f"{truth.sentence}\n\n{truth.more}"
    asked = [predicted.question, *map(str, predicted.form.values())]
    seen = [prose(text) for text in section.texts]
    # What the question says too, such as the number of games, gives nothing away.
    told = runs_of_words(answer) - {run for text in asked for run in runs_of_words(text)}
    found = [
        " ".join(run) for text in [*seen, *section.outputs] for run in runs_of_words(text) & told
    ]
    # An output has so many numbers that one of two digits can be the same by accident.
    in_view = numbers(seen) | numbers(section.outputs, least_digits=3)
    found += sorted((numbers([answer]) - numbers(asked)) & in_view)
    if isinstance(truth.value, str) and len(truth.value) > 3:
        mentions = {option: mentioned(option, seen) for option in predicted.form["options"]}
        if mentions[truth.value] > max(mentions[each] for each in mentions if each != truth.value):
            found.append(truth.value)
    return found


def mentioned(option: str, texts: list[str]) -> int:
    """How often the words of an option stand in the texts, in its order."""
    wanted = f" {' '.join(words(option))} "
    return sum(f" {' '.join(words(text))} ".count(wanted) for text in texts)


def test_a_cell_that_knows_an_answer_is_folded():
    for path in NOTEBOOKS:
        for cell in read(path).cells:
            if cell.cell_type == "code" and re.search(r"\bTruth\(|course\.predict\.", cell.source):
                assert is_folded(cell), f"{path.stem}: {cell.id}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nothing_in_view_gives_an_answer_away(path, executed):
    told = {
        predicted.name: found
        for section in sections(read(path), executed(path))
        for predicted in section.predictions
        if (found := given_away(predicted, section))
    }
    assert told == {}


def left_in(saved: str, predicted: Predicted) -> list[str]:
    """What of the answer a reader can find in the file of a notebook."""
    answer = predicted.card._hidden_answer
    markups = [answer["more"], *answer["pictures"]]
    found = [text for text in (predicted.truth.sentence, *markups) if text and text in saved]
    asked = [predicted.question, *map(str, predicted.form.values())]
    told = [answer["sentence"], re.sub("<[^>]*>", " ", " ".join(markups))]
    return found + sorted((numbers(told) - numbers(asked)) & numbers([saved]))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_answer_is_saved_before_the_prediction(path, executed):
    run = executed(path)
    assert run.predicted
    for cell, asked in run.predicted.items():
        for predicted in asked:
            left = left_in(run.saved[cell], predicted)
            assert left == [], predicted.name
            sentence = predicted.truth.sentence
            assert not [cell for cell, saved in run.saved.items() if sentence in saved]


CARD = Predicted(
    "first-player",
    "Who wins more of 100 random games?",
    {"options": ["the first player", "the second player"]},
    Truth(
        "the first player",
        "The first player wins 58.5 of 100 games.",
        more="It has the first choice among nine squares that are free.",
    ),
)


FOLDED = {"jupyter": {"source_hidden": True}}


@pytest.mark.parametrize(
    ("before", "output", "after", "told"),
    [
        ("## The first player is ahead", "", "", ["the first player"]),
        ("", "X won 58.5", "", ["58.5"]),
        ("", "", "The first choice among nine squares decides.",
         ["the first choice among nine squares"]),
        ("The first player, or the second player?", "", "We play 100 games.", []),
        ("", "", "## What it means\n\n## Later", []),
    ],
)  # fmt: skip
def test_whatever_tells_is_found(before, output, after, told):
    made = nbformat.v4
    cells = [
        made.new_markdown_cell(before),
        made.new_code_cell("# folded\nwon = 58.5", id="card", metadata=FOLDED),
        made.new_code_cell(id="code"),
        made.new_markdown_cell(after),
        made.new_code_cell("shown()", id="later"),
    ]
    notebook, later = made.new_notebook(cells=cells), "X won 58.5" if "Later" in after else ""
    outputs = {"code": output, "later": later}
    run = Executed({}, "", {}, outputs, {"card": [CARD]}, [], {})
    assert [given_away(CARD, section) for section in sections(notebook, run)] == [told]
