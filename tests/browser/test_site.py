"""The book, as a reader without Python meets it: its pages are opened, its live widgets driven.

It consists of two notebooks with live widgets.
"""

import re
from itertools import groupby

import pytest
from playwright.sync_api import expect

from tests.browser.panel import shows
from tests.browser.site import BEYOND, built, opened, violations

# The first test waits until the book is built.
pytestmark = [pytest.mark.thorough, pytest.mark.timeout(1500)]

CHOSEN = ("03_selection", "03_bandits")
KINDS = (
    *("index.html", "museum.html", "glossary.html", "exercises/index.html", "exercises/ucb1.html"),
    *("notebooks/more/03_bandits.html", "api/index.html"),
)
MOST_BYTES = 1_500_000
"""Of a notebook's page, with all that it loads."""
PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 720}
DESK = {"width": 1440, "height": 1000}


@pytest.fixture(scope="module")
def one_book(chromium, tmp_path_factory):
    with opened(chromium, built(tmp_path_factory.mktemp("site"), CHOSEN)) as book:
        yield book


@pytest.fixture
def book(one_book):
    one_book.page.set_viewport_size(DESK)
    return one_book


def texts(book):
    """Every page of the book, except the one to play on, which has tests of its own."""
    files = {file.relative_to(book.folder): file for file in sorted(book.folder.rglob("*.html"))}
    return {
        name.as_posix(): file.read_text("utf-8")
        for name, file in files.items()
        if name.parts[0] != "play"
    }


def test_every_page_has_one_title_texts_for_pictures_and_nothing_from_elsewhere(book):
    wrong = {}
    for page, text in texts(book).items():
        linked = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="([^"]*)', text)
        checks = {
            "titles": len(re.findall(r"<h1\b", text)) != 1,
            "pictures": re.findall(r"<img(?![^>]*\balt=)[^>]*>", text),
            "policy": "Content-Security-Policy" not in text,
            "elsewhere": [each for each in linked if each.startswith(("http", "//"))],
        }
        wrong |= {f"{page}: {name}": found for name, found in checks.items() if found}
    assert wrong == {}


def test_a_page_of_each_kind_opens_without_complaint_is_light_accessible_and_not_too_wide(book):
    wrong = {}
    for page in KINDS:
        book.page.set_viewport_size(LAPTOP)
        book.open(page)
        book.page.wait_for_load_state("networkidle")
        checks = {
            "complaints": [*book.complaints],
            "size": page.startswith("notebooks/") and sum(book.loaded.values()) > MOST_BYTES,
            "access": violations(book.page),
        }
        for size in (DESK, PHONE):
            book.page.set_viewport_size(size)
            checks[f"beyond {size['width']} px"] = max(book.page.evaluate(BEYOND), 0)
        wrong |= {f"{page}: {name}": found for name, found in checks.items() if found}
    assert wrong == {}
    assert book.page.context.cookies() == []


def test_the_front_page_has_a_game_and_the_road_in_pictures(book):
    book.open("index.html")
    front = book.page
    front.locator("#game .cells rect.open").first.click()
    shows(front, {"#game .moves .notation": 2, "#game .headline": "Your turn"})
    cards = front.locator(".road li")
    for card in cards.all():
        picture = card.locator("img")
        picture.scroll_into_view_if_needed()
        loaded = "picture => picture.decode().then(() => picture.naturalWidth)"
        assert picture.evaluate(loaded) > 0, card.inner_text()
        assert card.locator("p").inner_text().endswith(".")
    assert book.complaints == []


def opens(details, content, words):
    """A click on these words brings the content to light."""
    expect(details.locator(content).first).to_be_hidden()
    details.locator("summary", has_text=words).click()
    expect(details.locator(content).first).to_be_visible()


def test_experiments_are_folded_hints_hidden_and_solutions_absent(book):
    page = book.page
    book.open("notebooks/03_selection.html")
    opens(page.locator("details.hide").first, "pre", "Show the code")
    book.open("exercises/ucb1.html")
    opens(page.locator("details.hint").first, "p", "Hint")
    shown = page.locator("article .highlight-python").all_inner_texts()
    assert "def ucb1" in shown[0]
    assert "math.log" not in "".join(shown)


LIVE = {
    "PhaseStepper": ("button", "^Forward", "Enter"),
    "BanditPlayground": ("slider", "", "End"),
    "BanditGame": ("button", "^Pull", "Enter"),
    "PredictionWidget": ("button", "^I'd rather see it", "Enter"),
}
"""What is done with a widget; what it can do is tested with a kernel, by the same scripts."""


def test_live_widgets_answer_and_their_pictures_are_gone_but_not_without_scripts(book, chromium):
    def first_with(widget):
        """The first page that has the widget."""
        return next(page for page, text in texts(book).items() if f"_widgets/{widget}-" in text)

    for page, widgets in groupby(sorted(LIVE, key=first_with), key=first_with):
        book.open(page)
        for widget in widgets:
            role, name, key = LIVE[widget]
            place = book.page.locator(f"[data-widget*='/{widget}-']").first
            expect(place.locator(".still")).to_be_hidden()
            live = place.locator(".mctslab")
            before = live.inner_html()
            live.get_by_role(role, name=re.compile(name)).first.press(key)
            expect(live).not_to_have_js_property("innerHTML", before)
        assert book.complaints == []
    with chromium.new_context(java_script_enabled=False) as context:
        bare = context.new_page()
        bare.goto(f"{book.address}/{first_with('PhaseStepper')}")
        still = bare.locator("[data-widget*='/PhaseStepper-'] img").first
        still.scroll_into_view_if_needed()
        expect(still).to_be_visible()
