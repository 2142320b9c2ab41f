"""Every text that a person meets is plain English: these are habits that the project had to drop.

The patterns find habits, not bad English. Read a text aloud as well before you believe it.
"""

import ast
import io
import itertools
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

VERB = r"(is|are|was|were|has|have|had|can|cannot|does|do|would|could|must|needs?|knows?|leads?)"
HABITS = {
    "at random": r"\bby lot\b|\bby_lot\b|\bthe lot\b|\bdraws? lots\b|\blots? decides?\b",
    "if you want to ..., you need ...": (
        r"(?:^|[.:;] )[Ww]ho (wants|cannot|needs|changes|asks|reads|holds|knows|presses)\b"
    ),
    "expensive, costs more": r"\bdear(er|est|ly)?\b",
    "note, remember, watch out for": r"(?<!in )\b[Mm]ind (the|that|how|your|what)\b",
    "differently from": (
        r"\botherwise than\b|\b(write|define|count|do|call)s? (it|them|this) otherwise\b"
    ),
    "otherwise it is": r"[,;:] else (is|are|it|the|a|an|no|none|in|from)\b",
    "instead of": r"\bin place of\b|\banother than\b",
    "different from": r"(?<!each )(?<!no )(?<!any )\bothers? than\b",
    "depends on, contains, about": r"\bheard of\b|\bkno(w|wn|ws|wing) of\b(?! no\b)",
    "name the thing that is changed or made": (
        r"\bwhat (it|they|that|this|all) (was|were|is|are) made (from|of)\b"
        r"|\bwhat (comes|came) of\b|\b[Ss]omebody\b"
    ),
    "name the two": r"\b[Tt]he one [^.;]{3,80}, the other\b",
    "Got:": r"\bCame[:,]",
    "will, must or can": r"\b[Ss]hall\b|\b(is|are) to be \w+ed\b",
    "called, evaluated": (
        r"\b(is|are|was|were|being) asked (before|for (a|an|the|its)|about|again|once|every|at)\b"
        r"|\basked nothing\b|\bis asked anew\b"
    ),
    "name what is counted": r"(?:^|[.;:] )So many\b|\b(as|in|within|after|of|by) so many\b",
    "because, since": (
        r"[,:] for (it|they|he|she|there|each|all|none|nothing|only|that|this|the|a) "
        rf"(\w+ )?{VERB}\b"
    ),
    "is, can be found": r"\bstands? (written|there|here)\b|\bthere stands?\b",
    "a word in use today": (
        r"\bby and by\b|\bhangs? together\b|\bof its own accord\b|\bamiss\b|\banew\b|\bthereby\b"
        r"|\btherein\b|\bthereof\b|\bwhereof\b|\bherewith\b|\bnought\b|\bneeds not\b"
    ),
    "that does not exist": r"\bthat (is|are) none\b(?! of)",
    "no space before the sign": r"[\d}] %(?!\w| \d)",
    "a few": r"\bsome (minutes|seconds|hours|plies)\b",
}
"""What to write instead, and a pattern of what is not written any more."""
PATTERNS = {instead: re.compile(habit) for instead, habit in HABITS.items()}


def one_line(text: str) -> str:
    return " ".join(text.split())


def prose(markdown: str) -> str:
    """Markdown without the pieces that are code."""
    without_blocks = re.sub(r"^ *```.*?^ *```", " ", markdown, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "`code`", without_blocks)


def in_markdown(text: str) -> Iterator[tuple[str, str]]:
    for paragraph in re.split(r"\n\s*\n", prose(text)):
        yield "text", one_line(paragraph)


def in_notebook(text: str) -> Iterator[tuple[str, str]]:
    for cell in json.loads(text)["cells"]:
        words = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield cell["id"], one_line(prose(words))
        elif not words.startswith("%"):
            yield from ((cell["id"], words) for _, words in in_python(words))


def in_python(text: str) -> Iterator[tuple[str, str]]:
    """Strings and docstrings, formatted ones with a dash for each value; comments, whole."""
    tree = ast.parse(text)
    formatted = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    inside = {id(part) for node in formatted for part in node.values}
    for node in formatted:
        pieces = [str(p.value) if isinstance(p, ast.Constant) else "-" for p in node.values]
        yield f"{node.lineno}", one_line("".join(pieces))
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in inside:
            yield f"{node.lineno}", one_line(node.value)
    comments: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.append((token.start[0], token.string.lstrip("#")))
    for _, block in itertools.groupby(enumerate(comments), lambda each: each[1][0] - each[0]):
        lines = [comment for _, comment in block]
        yield f"{lines[0][0]}", one_line(" ".join(words for _, words in lines))


def in_script(text: str) -> Iterator[tuple[str, str]]:
    """The comments and strings of JavaScript or CSS, as far as a pattern finds them."""
    for comment in re.findall(
        r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+|[ \t]//[^\n]*", text, re.DOTALL | re.MULTILINE
    ):
        yield (
            "comment",
            one_line(re.sub(r"^\s*(//|\*)|/\*\*?|\*/", "", comment, flags=re.MULTILINE)),
        )
    for string in re.findall(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`', text):
        yield "string", one_line(re.sub(r"\$\{[^}]*\}", "-", string[1:-1]))


READERS = {
    ".md": in_markdown,
    ".ipynb": in_notebook,
    ".py": in_python,
    ".js": in_script,
    ".css": in_script,
}


def files() -> list[Path]:
    found = [PROJECT / name for name in ("README.md", "GLOSSARY.md", "CONTRIBUTING.md", "run.py")]
    for folder in ("docs", "notebooks", "mctslab"):
        found += (PROJECT / folder).rglob("*")
    return sorted(
        file for file in found if file.suffix in READERS and ".ipynb_checkpoints" not in file.parts
    )


def habits(texts: Iterator[tuple[str, str]]) -> list[str]:
    """Every habit in these texts: where, the words, and what to write instead."""
    return [
        f"{place}: ... {words[max(0, match.start() - 30) : match.end() + 30]} ... ({instead})"
        for place, words in texts
        for instead, pattern in PATTERNS.items()
        for match in pattern.finditer(words)
    ]


def test_no_text_has_a_habit_that_was_dropped():
    found = {}
    for file in files():
        if hits := habits(READERS[file.suffix](file.read_text("utf-8"))):
            found[file.relative_to(PROJECT).as_posix()] = hits
    assert found == {}


def test_a_planted_habit_is_found_wherever_it_is_written_and_code_is_not_read_as_prose():
    words = "Who wants to know \nmore needs ten games."
    cell = {"cell_type": "markdown", "id": "a", "source": [words]}
    assert habits(in_markdown(words))
    assert habits(in_notebook(json.dumps({"cells": [cell]})))
    assert habits(in_python(f'def f():\n    """{words}"""\n'))
    assert habits(in_python("# " + words.replace("\n", "\n# ") + "\nx = 1\n"))
    assert habits(in_script("// " + words.replace("\n", "\n// ") + "\nconst a = 1;\n"))
    assert habits(in_script(f"const a = `{words}`;"))
    assert habits(in_markdown("`shall` and\n\n```\nmend the shall\n```\n")) == []
    assert habits(in_python("shall = dear\nmend(shall)\n")) == []
