"""The form of synthetic noise: what is chosen, and how often that is told."""

import pytest

from app.panels.corruption import KINDS, SETTLE_MS, CorruptionForm


@pytest.fixture
def form(qtbot):
    form = CorruptionForm()
    qtbot.addWidget(form)
    form.show()
    return form


def choose(form, kind):
    form.kind.setCurrentIndex(form.kind.findData(kind))
    form.kind.activated.emit(form.kind.currentIndex())


def test_a_kind_that_is_chosen_while_a_slider_settles_opens_the_input_once(form, qtbot):
    choose(form, "salt-and-pepper")
    told = []
    form.changed.connect(lambda: told.append(form.corruption))
    form.form.changed.emit("share", 0.4)
    choose(form, "occlusion")
    qtbot.wait(2 * SETTLE_MS)
    assert [corruption.kind for corruption in told] == ["occlusion"]
    form.form.changed.emit("share", 0.4)
    form.form.changed.emit("share", 0.5)
    qtbot.waitUntil(lambda: len(told) == 2)
    choose(form, "")
    assert (told[-1], form.hint.isVisible()) == (None, False)


def test_the_window_calls_a_kind_of_corruption_as_the_command_does():
    for key, words in KINDS.items():
        assert words.lower().replace(" ", "-").startswith(key)
