"""The window while a method drops basis images by itself."""

import pytest

from tests.app.windows import open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


def test_the_basis_strip_follows_a_rank_that_falls_by_itself_and_rises_again(tmp_path):
    with open_window(str(write_clip(tmp_path / "walk.mkv", 60)), tmp_path) as window:
        window.action("loop").setChecked(True)
        controls, strip = window.parts.method.form.controls, window.views.basis
        controls["warm_up"].box.setValue(2)
        controls["rank"].box.setValue(5)
        window.worker.play()  # Again, where a slow window found the clip at its end.
        wait_for(lambda: len(strip.cards) == 5, "five basis images")
        strip.enlarge(4)
        # From the first frame on, however many have been read: what a late basis image has learnt is worth its cost.
        controls["auto_rank"].switch.setChecked(True)
        window.action("restart").trigger()
        window.worker.play()
        wait_for(lambda: len(strip.cards) < 5, "basis images that are not needed to go")
        assert 4 not in strip.dialogs, "the large view of one that went is closed"
        assert controls["rank"].value == 5, "what was set is the most there may be"
        controls["auto_rank"].switch.setChecked(False)
        wait_for(lambda: len(strip.cards) == 5, "the rank that was set")
