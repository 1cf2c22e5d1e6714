"""The pages of the documentation in the window: each opens, its pictures fit, links lead from one to another."""

import re
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtWidgets import QDialogButtonBox

from app.panels.help import GLOSSARY
from app.panels.how_to import JOBS, PAGES, HowTo
from app.shortcuts import key_list
from core.catalogue import METHODS, parameters
from core.export.products import FORMATS


def opened(qtbot, **options):
    page = HowTo(**options)
    qtbot.addWidget(page)
    page.show()
    return page


def test_every_job_has_a_page_whose_pictures_fit(qtbot):
    page = opened(qtbot)
    for row, (name, title) in enumerate(JOBS.items()):
        page.list.setCurrentRow(row)
        assert page.list.currentItem().text() == title
        text = page.browser.toPlainText()
        assert text.startswith((PAGES / name).read_text(encoding="utf-8").splitlines()[0].removeprefix("# "))
        qtbot.waitUntil(lambda: not page.browser.horizontalScrollBar().isVisible())
        assert "\ufffc" in text, "it shows no picture"


def test_a_link_leads_to_another_page_and_none_leaves_the_folder(qtbot):
    page = opened(qtbot)
    page.browser.anchorClicked.emit(QUrl("teaching.md#what-does"))
    assert page.browser.toPlainText().startswith("Teaching")
    for link in ("../README.md", "https://example.org/x.md"):
        page.browser.anchorClicked.emit(QUrl(link))
        assert page.browser.toPlainText().startswith("Teaching")


def test_the_list_goes_with_the_page_and_leads_back_from_one_that_is_not_in_it(qtbot):
    page = opened(qtbot)
    page.browser.anchorClicked.emit(QUrl("faces.md"))
    assert page.list.currentItem().text() == "Faces"
    page.browser.anchorClicked.emit(QUrl("papers.md"))
    assert not page.browser.toPlainText().startswith("Faces")
    assert not page.list.selectedItems()
    place = page.list.visualItemRect(page.list.item(1)).center()
    qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert page.browser.toPlainText().startswith("Faces")
    assert page.list.currentItem().text() == "Faces"


def uppermost(page):
    return page.browser.cursorForPosition(QPoint(20, 12)).block().text()


def test_every_link_to_a_heading_leads_there(qtbot):
    links = [
        (name, link) for name in JOBS
        for link in re.findall(r"\]\(([\w.-]*#[^)]*)\)", (PAGES / name).read_text(encoding="utf-8"))
    ]  # fmt: skip
    assert ("stacks.md", "#stacks-of-other-samples") in links
    page = opened(qtbot)
    for name, link in links:
        page.browser.show_page(name)
        page.browser.anchorClicked.emit(QUrl(link))
        heading = page.browser.textCursor().block()
        assert heading.blockFormat().headingLevel() > 1, link
        assert uppermost(page) == heading.text()
    page.browser.show_page("stacks.md")
    page.browser.anchorClicked.emit(QUrl("#nowhere"))
    assert uppermost(page) == "Microscope stacks"


def test_where_no_pages_are_it_says_so(qtbot, tmp_path):
    assert "not installed" in opened(qtbot, folder=tmp_path).browser.toPlainText()


def test_a_key_opens_it():
    assert ("F2", "How to") in [row[:2] for row in key_list()["Help"]]


def test_the_glossary_explains_the_sensitivity_as_the_panel_calls_it():
    titles = {parameter.title for row in METHODS.values() for parameter in parameters(row).values()}
    assert "Sensitivity" in {term for term, _ in GLOSSARY} & titles


def test_the_readme_names_every_kind_of_film_that_can_be_written():
    formats = (Path(__file__).parents[3] / "README.md").read_text().partition("## Formats")[2].partition("##")[0]
    films = [re.sub(r"Lossless film \((.*)\)| film.*", r"\1", words) for words in FORMATS.values() if "film" in words]
    assert len(films) == 6
    assert not [film for film in films if film not in formats]


def test_it_closes_by_a_button_as_other_pages_do(qtbot):
    page = opened(qtbot)
    button = page.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Close)
    assert button.isVisible()
    with qtbot.waitSignal(page.destroyed):
        button.click()


def test_its_list_has_room_between_rows(qtbot):
    page = opened(qtbot)
    first, second = (page.list.visualItemRect(page.list.item(row)) for row in (0, 1))
    assert second.top() - first.bottom() > 4


def test_the_page_of_the_plate_tells_of_photographs():
    page = (PAGES / "clean-plate.md").read_text(encoding="utf-8")
    (key,) = [row[0] for rows in key_list().values() for row in rows if row[1] == "Open folder"]
    assert f"`{key}`" in page
