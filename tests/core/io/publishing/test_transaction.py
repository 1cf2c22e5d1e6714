"""Results get their names all together or not at all, whatever happens in between, and replace only our own."""

import contextlib
import os
import shutil
import sys

import pytest

from core.errors import CleanplateError
from core.io.publishing import ownership
from core.io.publishing.journal import Journal, stamp
from core.io.publishing.run_folder import LOCK, NAME, NAMES, recover
from core.io.publishing.transaction import Transaction
from core.runtime.file_lock import FileLock, NoLocksError

OLD, NEW = b"old", b"new!"


def write(transaction, content, n=2):
    (transaction.new / "mask").mkdir()
    for number in range(n):
        (transaction.new / "mask" / f"{number}.png").write_bytes(content)
    (transaction.new / "plate.png").write_bytes(content)


def begin(folder, content, *, overwrite=False, n=2):
    transaction = Transaction(folder, [folder / "mask", folder / "plate.png"], overwrite=overwrite)
    write(transaction, content, n)
    return transaction


def published(folder, content, **more):
    begin(folder, content, **more).publish(lambda: None)


def tree(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def results(content, n=2):
    return {**{f"mask/{number}.png": content for number in range(n)}, "plate.png": content}


@pytest.fixture(params=["marks", "list"])
def _way(request, monkeypatch):
    """The file system keeps marks, or it does not and there is a list."""
    if request.param == "list":
        monkeypatch.setattr(ownership, "mark", lambda path: False)
        monkeypatch.setattr(ownership, "is_marked", lambda path: False)


def without_list(found):
    return {name: content for name, content in found.items() if name != ownership.LIST}


@pytest.mark.usefixtures("_way")
def test_all_results_are_there_and_nothing_else(tmp_path):
    published(tmp_path, OLD)
    assert without_list(tree(tmp_path)) == results(OLD)
    published(tmp_path, NEW, overwrite=True, n=1)
    assert without_list(tree(tmp_path)) == results(NEW, 1)
    assert {p.name for p in tmp_path.iterdir()} <= {"mask", "plate.png", ownership.LIST}


class Dead(BaseException):
    """Its process has died: nothing of it changes a file any more."""


def killed_at(folder, step, act):
    """Do something that dies before its step of that number, without a trace; tell whether it came to that.

    To fork a process that has loaded a whole suite takes longer than all else here. So what is dead goes on here, where
    each of its steps fails, and the system's part is done for it: to close what it had open. What it leaves must be
    what was there when it died, also where it cleans up behind itself.
    """
    left, opened, found = step, set(), []

    def counted(change):
        def change_or_die(*words, **more):
            nonlocal left
            if left == 0:
                found.append(whole_tree(folder))
                raise Dead
            left -= 1
            return change(*words, **more)

        return change_or_die

    def note_open(*words, **more):
        opened.add(descriptor := true_open(*words, **more))
        return descriptor

    def note_close(descriptor):
        opened.discard(descriptor)
        true_close(descriptor)

    true_open, true_close = os.open, os.close
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(Dead):
        patch.setattr(os, "open", note_open)
        patch.setattr(os, "close", note_close)
        for name in ("rename", "replace", "unlink", "mkdir", "rmdir", "fsync"):
            patch.setattr(os, name, counted(getattr(os, name)))
        act()
    if not found:
        return False
    for descriptor in opened:
        os.close(descriptor)
    assert whole_tree(folder) == found[0], step
    return True


def whole_tree(folder):
    """Return what is in a folder, hidden or not, empty or not."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}


on_posix = pytest.mark.skipif(os.name == "nt", reason="what is open cannot be moved or removed there")


def several(folder, content):
    """Publish a picture for each of two scenes; where a run finds one scene alone, there is one file instead."""
    names = folder / "plate.png", folder / "plate-by-scene"
    transaction = Transaction(folder, names, overwrite=True)
    (transaction.new / names[1].name).mkdir()
    for number in (1, 71):
        (transaction.new / names[1].name / f"{number}.png").write_bytes(content)
    transaction.publish(lambda: None, names[:1])
    transaction.end()


SEVERAL = {f"plate-by-scene/{number}.png": NEW for number in (1, 71)}


def alone(folder, content):
    names = folder / "plate.png", folder / "plate-by-scene"
    transaction = Transaction(folder, names, overwrite=True)
    (transaction.new / "plate.png").write_bytes(content)
    transaction.publish(lambda: None, names[1:])
    transaction.end()


@pytest.mark.usefixtures("_way")
def test_what_an_earlier_run_left_under_a_name_that_is_not_used_now_goes(tmp_path):
    alone(tmp_path, OLD)
    assert without_list(tree(tmp_path)) == {"plate.png": OLD}
    several(tmp_path, NEW)
    assert without_list(tree(tmp_path)) == SEVERAL
    alone(tmp_path, OLD)
    assert without_list(tree(tmp_path)) == {"plate.png": OLD}
    assert {p.name for p in tmp_path.iterdir()} <= {"plate.png", ownership.LIST}


@pytest.mark.usefixtures("_way")
def test_what_an_earlier_run_left_stays_where_the_result_could_not_be_completed(tmp_path):
    published(tmp_path, OLD, n=1)
    names = tmp_path / "mask", tmp_path / "plate.png"
    before = tree(tmp_path)
    transaction = Transaction(tmp_path, names, overwrite=True)
    (transaction.new / "mask").mkdir()
    (transaction.new / "mask" / "1.png").write_bytes(NEW)
    transaction.publish(lambda: None, kept=names[1:])
    transaction.end()
    assert tree(tmp_path)["plate.png"] == before["plate.png"] == OLD
    assert tree(tmp_path)["mask/1.png"] == NEW
    published(tmp_path, NEW, overwrite=True, n=1)  # Still known as ours.


@pytest.mark.usefixtures("_way")
def test_what_a_person_put_under_a_name_that_is_not_used_now_stays(tmp_path):
    (tmp_path / "plate.png").write_bytes(b"mine")
    with pytest.raises(CleanplateError, match="not replaced"):
        several(tmp_path, NEW)
    assert tree(tmp_path)["plate.png"] == b"mine"


@on_posix
@pytest.mark.usefixtures("_way")
def test_a_death_while_a_name_is_given_up_is_made_good_too(tmp_path):
    for step in range(100):
        folder = tmp_path / f"{step}"
        folder.mkdir()
        alone(folder, OLD)
        died = killed_at(folder, step, lambda folder=folder: several(folder, NEW))
        recover(folder)
        now = without_list(tree(folder))
        assert now in ({"plate.png": OLD}, SEVERAL), step
        if not died:
            break
    assert now == SEVERAL
    assert step > 12


@on_posix
@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("replaces", [True, False])
def test_a_death_at_any_step_is_made_good_by_the_next_run(tmp_path, replaces):
    for step in range(100):
        folder = tmp_path / f"{step}"
        folder.mkdir()
        if replaces:
            published(folder, OLD)
        before = without_list(tree(folder))
        died = killed_at(folder, step, lambda folder=folder: published(folder, NEW, overwrite=replaces, n=3))
        recover(folder)
        now = without_list(tree(folder))
        assert now in (before, results(NEW, 3)), step
        assert {p.name for p in folder.iterdir()} <= {"mask", "plate.png", ownership.LIST}, step
        if now == before and replaces:
            published(folder, NEW, overwrite=True)  # Still known as ours.
        if not died:
            break
    assert now == results(NEW, 3)
    assert step > 12


def test_a_step_that_the_system_refuses_leaves_everything_as_it_was(tmp_path):
    published(tmp_path, OLD)
    for refused in range(20):
        transaction = begin(tmp_path, NEW, overwrite=True)
        renames = iter(range(100))
        true_rename = os.rename

        def rename(*words, renames=renames, refused=refused, true_rename=true_rename, **more):
            if next(renames) == refused:
                raise PermissionError(13, "")
            return true_rename(*words, **more)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "rename", rename)
            error = None
            try:
                transaction.publish(lambda: None)
            except CleanplateError as raised:
                error = raised
        if error is None:
            break
        transaction.end()
        assert "could not be written" in str(error), refused
        assert tree(tmp_path) == results(OLD), refused
        assert len(list(tmp_path.iterdir())) == 2, refused
    assert refused > 4
    assert tree(tmp_path) == results(NEW)


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_run_is_refused_at_its_start_while_another_writes_what_it_would(tmp_path, overwrite):
    published(tmp_path, OLD)
    first = Transaction(tmp_path, [tmp_path / "mask", tmp_path / "basis"], overwrite=overwrite)
    with pytest.raises(CleanplateError, match=r"^Another run is writing mask into "):
        begin(tmp_path, NEW, overwrite=overwrite)
    assert [path.name for path in tmp_path.iterdir() if NAME.fullmatch(path.name)] == [first.new.parent.name]
    # Who writes something else is not in the way, nor who has ended.
    for names in (["plate.png"], ["model.npz", "times.npz"]):
        Transaction(tmp_path, [tmp_path / name for name in names], overwrite=overwrite).end()
    first.end()
    begin(tmp_path, NEW, overwrite=overwrite).end()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_no_text_are_told_apart_too(tmp_path):
    names = [os.fsdecode(name) for name in (b"caf\xe9.csv", b"caf\xe8.csv", b"a\x0bb.csv")]
    first = Transaction(tmp_path, [tmp_path / names[0], tmp_path / names[2]], overwrite=False)
    Transaction(tmp_path, [tmp_path / names[1], tmp_path / "b.csv"], overwrite=False).end()
    for taken in (names[0], names[2]):
        with pytest.raises(CleanplateError, match=r"^Another run is writing "):
            Transaction(tmp_path, [tmp_path / taken], overwrite=False)
    first.end()


def test_what_cannot_be_read_of_another_run_is_in_nobodys_way(tmp_path):
    first = begin(tmp_path, OLD)
    (first.new.parent / NAMES).write_bytes(b"\xff")
    begin(tmp_path, NEW).end()
    (first.new.parent / NAMES).unlink()
    begin(tmp_path, NEW).end()
    assert first.new.exists()


def test_where_there_are_no_locks_the_run_that_comes_second_says_so_at_its_end_and_leaves_nothing(
    tmp_path, monkeypatch
):
    def refused(_):
        raise NoLocksError

    monkeypatch.setattr(FileLock, "acquire", refused)
    for overwrite in (False, True):
        folder = tmp_path / str(overwrite)
        folder.mkdir()
        if overwrite:
            published(folder, OLD)
        first, second = (begin(folder, content, overwrite=overwrite) for content in (b"first", b"second"))
        first.publish(lambda: None)
        with pytest.raises(CleanplateError, match="during the run"):
            second.publish(lambda: None)
        second.end()
        assert tree(folder) == results(b"first")


def test_nobody_else_publishes_there_from_the_last_moment_to_raise_on(tmp_path):
    held = []
    begin(tmp_path, NEW).publish(lambda: held.append(not FileLock(tmp_path / LOCK).acquire()))
    assert held == [True]
    assert tree(tmp_path) == results(NEW)


@on_posix
def test_a_run_that_goes_on_is_left_alone_and_a_dead_one_is_not(tmp_path):
    alive = begin(tmp_path, NEW)

    def die():
        other = Transaction(tmp_path, [tmp_path / "model.npz"], overwrite=False)
        (other.new / "model.npz").write_bytes(OLD)
        other.publish(lambda: None)

    assert killed_at(tmp_path, 4, die)
    assert len(list(tmp_path.iterdir())) == 2
    assert recover(tmp_path) == (1, 0)
    assert [p.name for p in tmp_path.iterdir()] == [alive.new.parent.name]
    alive.publish(lambda: None)
    assert tree(tmp_path) == results(NEW)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "plate.png").write_bytes(b"mine"),
        lambda folder: (folder / "mask" / "1.png").write_bytes(b"mine"),
        lambda folder: (folder / "mask" / "diary.txt").write_bytes(b"dear"),
        lambda folder: (folder / "mask" / "2.png").mkdir(),
        lambda folder: (folder / "mask" / "3.png").symlink_to(folder / "plate.png"),
        lambda folder: (folder / "plate.png").rename(folder / "x") and (folder / "plate.png").symlink_to("x"),
        lambda folder: (folder / "mask").rename(folder / "x") and (folder / "mask").symlink_to("x"),
        lambda folder: os.replace(shutil.copyfile(folder / "plate.png", folder / "x"), folder / "plate.png"),
    ],
    ids=["changed", "changed-image", "text", "folder", "link-in", "link", "link-to-folder", "copied"],
)
def test_what_a_person_did_is_never_replaced(tmp_path, change):
    published(tmp_path, OLD)
    change(tmp_path)
    before = tree(tmp_path)
    transaction = begin(tmp_path, NEW, overwrite=True)
    with pytest.raises(CleanplateError, match="not replaced"):
        transaction.publish(lambda: None)
    transaction.end()
    assert tree(tmp_path) == before


@on_posix
def test_what_is_put_under_a_name_after_a_death_stays_and_is_named(tmp_path):
    published(tmp_path, OLD)
    step = 0
    while (tmp_path / "mask").exists():  # Until one dies when the mask is away and the new one not there.
        assert killed_at(tmp_path, step, lambda: published(tmp_path, NEW, overwrite=True))
        step += 1
    assert not (tmp_path / "mask").exists()
    (tmp_path / "mask").mkdir()
    (tmp_path / "mask" / "diary.txt").write_bytes(b"dear diary")
    with pytest.raises(CleanplateError, match="mask was changed since"):
        recover(tmp_path)
    assert (tmp_path / "mask" / "diary.txt").read_bytes() == b"dear diary"
    (tmp_path / "mask").rename(tmp_path / "mine")
    assert recover(tmp_path) == (1, 1)
    shutil.rmtree(tmp_path / "mine")
    assert tree(tmp_path) == results(OLD)


def test_a_new_result_that_a_person_copied_to_its_name_after_a_death_stays_and_is_named(tmp_path):
    run = tmp_path / ".cleanplate-00000000"
    for folder in ("new", "old"):
        (run / folder).mkdir(parents=True)
    plate, new = tmp_path / "plate.png", run / "new" / "plate.png"
    plate.write_bytes(OLD)
    new.write_bytes(NEW)
    journal, before = Journal(run), stamp(plate)
    journal.write({plate.name: before})
    journal.take_away(plate.name, before)
    shutil.copy2(new, plate)
    assert stamp(plate) == stamp(new)
    with pytest.raises(CleanplateError, match=r"plate\.png was changed since"):
        recover(tmp_path)
    assert plate.read_bytes() == NEW


@pytest.mark.parametrize("content", [b"{", b'{"../../mask": [null, null]}', b'{"mask": 3}', b"\xff"])
def test_a_journal_that_is_not_ours_moves_nothing(tmp_path, content):
    run = tmp_path / ".cleanplate-00000000"
    (run / "old").mkdir(parents=True)
    (run / "journal.json").write_bytes(content)
    (tmp_path / "mask").write_bytes(b"mine")
    with pytest.raises(CleanplateError, match=r"journal\.json"):
        recover(tmp_path)
    assert (tmp_path / "mask").read_bytes() == b"mine"


def test_a_folder_that_is_merely_called_like_ours_stays(tmp_path):
    (tmp_path / ".cleanplate-00000000").mkdir()
    (tmp_path / ".cleanplate-00000000" / "diary.txt").write_text("dear diary")
    (tmp_path / "elsewhere" / "new").mkdir(parents=True)
    (tmp_path / ".cleanplate-11111111").symlink_to(tmp_path / "elsewhere")
    assert recover(tmp_path) == (0, 0)
    assert (tmp_path / ".cleanplate-00000000" / "diary.txt").exists()
    assert (tmp_path / "elsewhere" / "new").exists()


def test_a_list_that_is_something_else_is_refused(tmp_path):
    for content in (b"{", b'{"version": 9, "sizes": {}}', b"\xff"):
        (tmp_path / ownership.LIST).write_bytes(content)
        with pytest.raises(CleanplateError, match="not a list"):
            ownership.Ownership(tmp_path)
