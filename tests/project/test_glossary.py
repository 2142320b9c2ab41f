"""GLOSSARY.md names in code only what is there."""

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LAST_WITH_CODE = 12
"""Notebooks up to this one use the search that is there; later ones may name what is to come."""


def test_every_term_is_a_sentence_and_the_names_in_code_are_names_in_the_code():
    lines = (PROJECT / "GLOSSARY.md").read_text("utf-8").splitlines()
    rows = [line.strip("|").split("|") for line in lines if re.match(r"\| (?!term )", line)]
    terms = [[cell.strip() for cell in row] for row in rows]
    assert all(meaning.endswith(".") for *_, meaning, _ in terms)
    sources = (PROJECT / "mctslab").rglob("*.py")
    words = set(re.findall(r"\w+", "\n".join(file.read_text("utf-8") for file in sources)))
    used = " ".join(code for _, _, code, _, number in terms if int(number) <= LAST_WITH_CODE)
    assert {*re.findall(r"\w+", used)} - words == set()
