"""What the window remembers is written at each change without waiting for the disk, and with it at the end."""

import pytest

from tests.app.windows import open_window

pytestmark = pytest.mark.usefixtures("qapp")


def test_the_disk_is_waited_for_at_the_end_alone(tmp_path, disk):
    def waited():
        return [step for step in disk.steps if step[0] == "sync"]

    with open_window(None, tmp_path) as window:
        window.action("source_panel").setChecked(False)
        assert not waited()
        disk.named("window.json")
    place, inode = disk.named("window.json")
    assert disk.is_synced_before(inode, place)
