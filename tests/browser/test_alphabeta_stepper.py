"""The alpha-beta stepper in real JupyterLab: stepped, dragged, worked by keys, in both themes."""

from itertools import pairwise

import pytest
from playwright.sync_api import Locator, expect

from mctslab.widgets import AlphaBetaStepper
from tests.browser.lab import Lab
from tests.browser.modules import Module, module_of
from tests.browser.panel import COMPUTING, middle_of
from tests.search.toys import Turn, WrittenOut

THREE = Turn(0, (Turn(1, (3, 5)), Turn(1, (2, 9, 8)), Turn(1, (7, 1))))
"""Its nodes are the root 0, a 1 (2, 3), b 4 (5, 6, 7) and c 8 (9, 10)."""

SETUP = """\
from mctslab.course import Place, TreeGame, turn_of
from mctslab.widgets import AlphaBetaStepper
def end(value): return Place(0, returns=(value, -value))
replies = [turn_of(1, *map(end, values)) for values in ([3, 5], [2, 9, 8], [7, 1])]
stepper = AlphaBetaStepper(TreeGame(turn_of(0, *replies)))
stepper"""
STEPS, CUT_AT = 17, 9


def open_stepper(lab: Lab) -> Locator:
    lab.open_cells(SETUP, COMPUTING)
    lab.run_cell(0)
    root = lab.output(0).locator(".mctslab-alphabeta")
    expect(root.locator(".place")).to_have_text(f"Step 1 of {STEPS}")
    return root


def node(root: Locator, place: int) -> Locator:
    return root.locator(f'.node[data-node="{place}"]')


# Its geometry, without a page


model = module_of("common.js", "words.js", "tree_view.js", "alphabeta_stepper.js")


def test_what_is_seen_at_a_step_follows_from_the_steps_before_it(model: Module) -> None:
    stepper = AlphaBetaStepper(WrittenOut(THREE))
    seen = [
        model.run(
            """([nodes, order, steps, at]) => {
                const { known, cut, numLeaves, path } = seenAt(nodes, order, steps, at);
                return [known.map(step => step && step.text), [...cut], numLeaves, path];
            }""",
            [stepper.nodes, stepper.order, stepper.steps, at],
        )
        for at in (0, CUT_AT, STEPS - 1)
    ]
    assert seen[0] == [["?", *10 * [None]], [], 0, [0]]
    assert seen[1] == [
        ["≥ +3", "+3", "+3", "+5", "≤ +2", "+2", *5 * [None]], [6, 7], 3, [0, 4]
    ]  # fmt: skip
    assert seen[2][1:] == [[6, 7], 5, [0]]
    assert seen[2][0][0] == "+3"


@pytest.mark.parametrize("least", [200, 500, 1_800])
def test_no_card_covers_another_in_any_order(model: Module, least: int) -> None:
    stepper = AlphaBetaStepper(WrittenOut(THREE))
    for to in (0, 2):
        stepper.move(4, to)
        places, width, rooms = model.run(
            """([nodes, order, least]) => {
                const { places, width } = layOutTree(nodes, order, least);
                return [places, width, ROOM];
            }""",
            [stepper.nodes, stepper.order, least],
        )
        assert width >= least - 0.01
        needs = [rooms["inner" if n["leaf"] is None else "leaf"] for n in stepper.nodes]
        boxes = [
            (p["y"], p["x"] - n / 2, p["x"] + n / 2) for p, n in zip(places, needs, strict=True)
        ]
        assert all(-0.01 <= left < right <= width + 0.01 for _, left, right in boxes)
        for one, other in pairwise(sorted(boxes)):
            assert one[0] < other[0] or one[2] <= other[1] + 0.01


def test_a_node_goes_where_it_is_held(model: Module) -> None:
    places = [{"x": x} for x in (0, 100, 200, 300)]
    script = "([places, node, x]) => placeAt(places, [0, 1, 2, 3], node, x)"
    assert [model.run(script, [places, 1, x]) for x in (-50, 20, 150, 230, 900)] == [0, 1, 1, 2, 3]


def test_the_axis_has_its_infinite_ends_and_one_number_in_the_middle(model: Module) -> None:
    script = "([leaves, number, isAlpha]) => alongAxis(leaves, number, isAlpha)"
    along = [model.run(script, [[2, 6], *ends]) for ends in ((None, True), (2, True), (4, False))]
    assert along == [0, 0.1, 0.5]
    assert model.run(script, [[2, 6], None, False]) == 1
    assert model.run(script, [[2, 2], 2, True]) == 0.5


# On the page


def test_it_is_stepped_by_buttons_keys_and_slider_also_while_a_cell_runs(lab: Lab) -> None:
    root = open_stepper(lab)
    lab.start_cell(1)
    place = root.locator(".place")
    for _ in range(CUT_AT):
        root.get_by_role("button", name="Forward").click()
    expect(root.locator(".caption")).to_contain_text("The remaining 2 moves are cut off.")
    expect(root.locator(".node.is-cut")).to_have_count(2)
    expect(root.locator(".bars.is-cut")).to_have_count(2)
    expect(root.locator(".window.is-closed")).to_have_count(1)
    expect(node(root, 4)).to_contain_text("α +3 β +2")
    expect(root.locator(".count")).to_contain_text("3 of 7 leaves evaluated so far")

    for key, step in (("ArrowLeft", CUT_AT), ("End", STEPS), ("Home", 1), ("ArrowRight", 2)):
        lab.page.keyboard.press(key)
        expect(place).to_have_text(f"Step {step} of {STEPS}")
    root.locator(".slider").fill(str(STEPS - 2))
    expect(place).to_have_text(f"Step {STEPS - 1} of {STEPS}")
    root.get_by_role("button", name="Play").click()
    expect(root.get_by_role("button", name="Pause")).to_be_visible()
    expect(place).to_have_text(f"Step {STEPS} of {STEPS}")
    expect(root.get_by_role("button", name="Play")).to_be_visible()
    lab.interrupt_kernel()


def test_a_move_is_dragged_and_the_count_follows_before_it_is_dropped(lab: Lab) -> None:
    root = open_stepper(lab)
    whole = root.locator(".count .whole")
    expect(whole).to_have_text("5")
    (x, y), (end, _) = (middle_of(node(root, place).locator(".box")) for place in (4, 1))
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    lab.page.mouse.move((x + end) / 2, y)
    lab.page.mouse.move(end - 12, y)
    expect(whole).to_have_text("7")
    expect(root.locator(".small-tree")).to_have_class("small-tree is-held")
    expect(root.locator(".count")).to_contain_text("in the order before it 5")
    lab.page.mouse.up()
    assert lab.evaluate("stepper.order[0]") == [4, 1, 8]
    expect(root.locator(".node.is-cut")).to_have_count(0)
    xs = [middle_of(node(root, each))[0] for each in (4, 1, 8)]
    assert xs == sorted(xs)
    root.get_by_role("button", name="First order").click()
    expect(whole).to_have_text("5")


def test_a_move_is_put_in_another_place_by_the_keyboard(lab: Lab) -> None:
    root = open_stepper(lab)
    tree = ("aria-level", "aria-posinset", "aria-setsize")
    where = [[node(root, each).get_attribute(name) for name in tree] for each in (0, 1, 4, 5)]
    assert where == [["1", "1", "1"], ["2", "1", "3"], ["2", "2", "3"], ["3", "1", "3"]]
    node(root, 0).focus()
    for key, place in (("ArrowDown", 1), ("ArrowRight", 4), ("ArrowUp", 0), ("ArrowDown", 1)):
        lab.page.keyboard.press(key)
        expect(node(root, place)).to_be_focused()
    lab.page.keyboard.press("ArrowRight")
    lab.page.keyboard.press("Alt+ArrowLeft")
    expect(root.locator(".count .whole")).to_have_text("7")
    expect(node(root, 4)).to_be_focused()
    assert lab.evaluate("stepper.order[0]") == [4, 1, 8]
    expect(root.locator(".place")).to_be_visible()  # the browser has not gone back a page

    root.get_by_role("button", name="Move this node to the right").click()
    expect(root.locator(".count .whole")).to_have_text("5")
    expect(root.get_by_role("button", name="Move this node to the left")).to_be_enabled()
