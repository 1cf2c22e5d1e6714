"""The pages of the documentation in the window: each opens, its pictures fit, links lead from one to another."""

from PySide6.QtCore import QUrl

from app.panels.how_to import JOBS, PAGES, HowTo
from app.shortcuts import key_list


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


def test_where_no_pages_are_it_says_so(qtbot, tmp_path):
    assert "not installed" in opened(qtbot, folder=tmp_path).browser.toPlainText()


def test_a_key_opens_it():
    assert ("F2", "How to") in [row[:2] for row in key_list()["Help"]]
