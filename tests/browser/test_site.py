"""The book, as a reader without Python meets it: its pages are opened, its live widgets driven.

It consists of some notebooks that show every kind of widget. To go through a whole book, name its
folder in the environment variable MCTSLAB_SITE.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from mctslab.course.result import Outcome
from tests.browser.site import GIVEN, Book, built, served, violations
from tests.notebooks.reading import exercises_of

pytestmark = pytest.mark.timeout(1500)  # the first test waits until the book is built

CHOSEN = ("03_selection", "03_bandits", "04_expansion", "10_minimax_and_clocks")
KINDS = (
    *("index.html", "museum.html", "glossary.html", "exercises/index.html", "exercises/ucb1.html"),
    *("notebooks/03_selection.html", "notebooks/04_expansion.html", "api/index.html"),
    "notebooks/10_minimax_and_clocks.html",
)
MOST_BYTES = 1_500_000
"""Of a notebook's page, with all that it loads."""
VERDICT = re.compile(rf"<strong[^>]*>[○✗✓] ({'|'.join(Outcome)})</strong> <code>(\w+)</code>")
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1440, "height": 1000}


@pytest.fixture(scope="module")
def folder(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("site"), CHOSEN)


@pytest.fixture(scope="module")
def book(chromium: Browser, folder: Path) -> Iterator[Book]:
    with served(folder) as address:
        book = Book(chromium, address, folder)
        yield book
        book.page.context.close()


@pytest.fixture
def front(book: Book) -> Iterator[Page]:
    """The front page, on a screen of a usual size."""
    book.page.set_viewport_size(DESK)
    book.open("index.html")
    yield book.page
    assert book.complaints == []


def test_every_page_has_one_title_texts_for_pictures_and_nothing_from_elsewhere(book: Book) -> None:
    wrong: dict[str, object] = {}
    for page in book.pages():
        text = (book.folder / page).read_text("utf-8")
        linked = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="([^"]*)', text)
        checks = {
            "titles": len(re.findall(r"<h1\b", text)) != 1,
            "pictures": re.findall(r"<img(?![^>]*\balt=)[^>]*>", text),
            "policy": "Content-Security-Policy" not in text,
            "elsewhere": [each for each in linked if each.startswith(("http", "//"))],
        }
        wrong |= {f"{page}: {name}": found for name, found in checks.items() if found}
    assert wrong == {}


def test_a_page_of_each_kind_opens_without_complaint_is_light_and_accessible(book: Book) -> None:
    """Of a book that was built before, all pages."""
    wrong: dict[str, object] = {}
    for page in book.pages() if GIVEN in os.environ else KINDS:
        book.open(page)
        book.page.wait_for_load_state("networkidle")
        checks = {
            "complaints": [*book.complaints],
            "size": page.startswith("notebooks/") and sum(book.loaded.values()) > MOST_BYTES,
            "access": violations(book.page),
        }
        wrong |= {f"{page}: {name}": found for name, found in checks.items() if found}
    assert wrong == {}
    assert book.page.context.cookies() == []


def test_text_that_is_hard_to_read_and_a_foreign_request_are_found(book: Book) -> None:
    """If they were not, the tests above would find nothing, whatever a page does."""
    book.open("exercises/ucb1.html")
    text = book.page.locator("article p").first
    text.evaluate("text => { text.style.color = 'light-dark(#bbb, #eee)'; }")
    found = violations(book.page)
    assert found
    assert all(each.startswith("light: color-contrast") for each in found)
    book.page.evaluate("fetch('https://example.org/').catch(() => {})")
    assert any("Content Security Policy" in each for each in book.complaints)


# The front page


def test_on_the_front_page_a_game_goes_on_at_once(front: Page) -> None:
    board = front.locator("#game")
    board.locator(".cells rect.open").first.click()
    expect(board.locator(".moves .notation")).to_have_count(2)
    expect(board.locator(".headline")).to_contain_text("Your turn")


def test_the_front_page_shows_the_road_in_pictures_and_lists_nothing_twice(front: Page) -> None:
    cards = front.locator(".road li")
    for card in cards.all():
        picture = card.locator("img")
        picture.scroll_into_view_if_needed()
        loaded = "picture => picture.decode().then(() => picture.naturalWidth)"
        assert picture.evaluate(loaded) > 0, card.inner_text()
        assert card.locator("p").inner_text().endswith(".")
    links = front.locator("article a[href*='notebooks/']").evaluate_all(
        "links => links.map(({ href }) => href)"
    )
    assert sorted(links[1:]) == sorted(set(links))  # the first one is the button to begin with
    assert len(links[1:]) == cards.count()
    expect(front.locator(".sidebar-drawer")).not_to_be_in_viewport()
    front.locator("label.nav-overlay-icon").first.click()
    expect(front.locator(".sidebar-drawer")).to_be_in_viewport()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("page", ["index.html", "notebooks/03_selection.html"])
def test_no_page_is_wider_than_the_screen(book: Book, page: str, size: ViewportSize) -> None:
    book.page.set_viewport_size(size)
    book.open(page)
    assert book.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    if page == "index.html":
        return
    code = book.page.locator(".cell_input pre:visible").first
    one, hundred = (
        code.evaluate(
            "(code, text) => { code.textContent = text; return code.clientHeight; }", text
        )
        for text in ("x", "x" * 100)
    )
    assert (hundred == one) == (size is DESK)
    assert code.evaluate("code => code.scrollWidth - code.clientWidth") <= 0


# Notebooks and exercises


def test_what_only_runs_an_experiment_is_folded(book: Book) -> None:
    book.open("notebooks/03_selection.html")
    folded = book.page.locator("details.hide").first
    expect(folded.locator("pre").first).to_be_hidden()
    folded.get_by_text("Show the code").click()
    expect(folded.locator("pre").first).to_be_visible()


def test_an_exercise_hides_its_hints_and_has_no_solution(book: Book) -> None:
    book.open("exercises/ucb1.html")
    hint = book.page.locator("details.hint").first
    expect(hint.locator("p").first).to_be_hidden()
    hint.locator("summary").click()
    expect(hint.locator("p").first).to_be_visible()
    shown = book.page.locator("article .highlight-python").all_inner_texts()
    assert "def ucb1" in shown[0]
    assert "math.log" not in "".join(shown)


def test_who_has_written_nothing_is_told_so_by_the_check_of_each_exercise(folder: Path) -> None:
    notebooks = [*folder.rglob("notebooks/**/*.ipynb")]
    assert any(exercises_of(notebook) for notebook in notebooks)
    for notebook in notebooks:
        found = VERDICT.findall(notebook.with_suffix(".html").read_text("utf-8"))
        first = {name: outcome for outcome, name in reversed(found)}
        told = [first.get(name) for name in exercises_of(notebook)]
        assert set(told) <= {Outcome.NOT_ATTEMPTED}, (notebook.name, first)


# Live widgets; what they can do is tested with a kernel, by the same scripts


@pytest.mark.parametrize(
    ("widget", "role", "name", "key"),
    [
        ("PhaseStepper", "button", "^Forward", "Enter"),
        ("BanditPlayground", "slider", "", "End"),
        ("BanditGame", "button", "^Pull", "Enter"),
        ("AlphaBetaStepper", "treeitem", "^(?!.*root)", "Alt+ArrowRight"),
        ("TreeExplorer", "button", "^Principal variation", "Enter"),
        ("PredictionWidget", "button", "^I'd rather see it", "Enter"),
    ],
)
def test_a_live_widget_answers_and_its_picture_is_gone(
    book: Book, widget: str, role: Literal["button", "slider", "treeitem"], name: str, key: str
) -> None:
    book.open(page_with(book, widget))
    place = book.page.locator(f"[data-widget*='/{widget}-']").first
    expect(place.locator(".still")).to_be_hidden()
    live = place.locator(".mctslab")
    before = live.inner_html()
    place.get_by_role(role, name=re.compile(name)).first.press(key)
    expect(live).not_to_have_js_property("innerHTML", before)
    assert book.complaints == []


def page_with(book: Book, widget: str) -> str:
    """The first page that shows a widget of this class."""
    texts = {page: (book.folder / page).read_text("utf-8") for page in book.pages()}
    return next(page for page, text in texts.items() if f"_widgets/{widget}-" in text)


def test_without_scripts_a_page_still_has_its_pictures(book: Book, chromium: Browser) -> None:
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{book.address}/{page_with(book, 'PhaseStepper')}")
        still = page.locator("[data-widget*='/PhaseStepper-'] img").first
        still.scroll_into_view_if_needed()
        expect(still).to_be_visible()
