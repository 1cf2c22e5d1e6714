"""Inputs and results elsewhere: what is fetched, what is uploaded, and what whoever dies in between leaves."""

import json
import os
import re
import sys

import pytest

from core.batch.inputs import found_inputs
from core.batch.job import JobState
from core.batch.plan import batch_list
from core.errors import CancelledError, CleanplateError
from core.io.input_spec import is_file, is_remote
from core.io.remote.address import check_address, leads_below
from core.io.remote.manifest import MANIFEST, read_manifest
from core.io.remote.stage_in import fetch
from core.io.remote.stage_out import RemoteResults
from core.io.remote.staging import Staging
from core.io.remote.store import Store

fsspec = pytest.importorskip("fsspec", reason="the extra cluster is absent")


@pytest.fixture
def memory():
    """The files of a file system in this process' memory."""
    files = fsspec.filesystem("memory")
    files.store.clear()
    yield files
    files.store.clear()


def never():
    """Ask for no end."""


def uploaded(folder, address, *, overwrite=False, check=never, **files):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    RemoteResults(address, overwrite=overwrite).publish(folder, key="k", figures={"frames": 1}, check=check)


def there(memory, folder="/out"):
    return {path.removeprefix(folder + "/"): memory.cat_file(path).decode() for path in memory.find(folder)}


def data(memory):
    return {name: text for name, text in there(memory).items() if name != MANIFEST}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("s3://bucket/a.mkv", True), ("gs://b", True), ("file:///a", True), ("rtsp://h/a", False), ("http://h", False),
        ("sample:street", False), ("camera:0", False), ("C://film.mkv", False), ("a/b://c", False), ("films", False),
    ],
)  # fmt: skip
def test_addresses_are_told_from_files_streams_and_disks_of_windows(path, expected):
    assert is_remote(path) == expected
    assert not (is_remote(path) and is_file(path))


@pytest.mark.parametrize("address", ["s3://", "s3:///", "sftp://me:secret@host/films"])
def test_an_address_without_a_place_or_with_a_password_is_refused(address):
    with pytest.raises(CleanplateError) as said:
        check_address(address)
    assert "secret" not in str(said.value)


def files_below(folder):
    return {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}


def test_files_and_folders_are_fetched_under_their_names_and_nothing_of_them_stays(memory, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    memory.pipe({"/in/clip.mkv": b"film", "/in/set/input/1.png": b"1", "/in/set/groundtruth/1.png": b"2"})
    with Staging("memory://in/set", "memory://out/set", overwrite=False) as staging:
        staging.begin(never)
        assert files_below(staging.source) == {"input/1.png", "groundtruth/1.png"}
        assert staging.said(f"{staging.source} to {staging.output}/mask") == "memory://in/set to memory://out/set/mask"
    assert not files_below(tmp_path)


def test_people_are_told_of_addresses_and_never_of_where_they_were_fetched_to(memory, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def fails():
        with Staging("memory://in/clip.mkv", None, overwrite=False) as staging:
            raise CleanplateError(f"{staging.source} is broken.")

    with pytest.raises(CleanplateError, match=r"^memory://in/clip\.mkv is broken\.$"):
        fails()


def test_what_is_too_large_gone_cut_or_leads_out_of_its_folder_is_not_fetched(memory, tmp_path, monkeypatch):
    memory.pipe({"/in/clip.mkv": b"film", "/in/evil/../../x": b"1", "/in/last/a/..": b"1"})
    with pytest.raises(CleanplateError, match="rename it there"):
        fetch("memory://in/last", tmp_path, never)
    with pytest.raises(CleanplateError, match="Nothing is at memory://in/none"):
        fetch("memory://in/none", tmp_path, never)
    with pytest.raises(CleanplateError, match="rename it there"):
        fetch("memory://in/evil", tmp_path, never)
    with monkeypatch.context() as patched:
        patched.setattr("core.io.remote.stage_in.SPARE_BYTES", 1 << 60)
        with pytest.raises(CleanplateError, match="TMPDIR"):
            fetch("memory://in/clip.mkv", tmp_path, never)
    with monkeypatch.context() as patched:
        patched.setattr(Store, "fetch", lambda _self, _names, files, _check: files[0].write_bytes(b"fi"))
        with pytest.raises(CleanplateError, match="was cut off"):
            fetch("memory://in/clip.mkv", tmp_path, never)
    assert fetch("memory://in/clip.mkv", tmp_path, never).read_bytes() == b"film"


def test_results_are_complete_when_the_manifest_says_so_and_replaced_only_when_allowed(memory, tmp_path):
    uploaded(tmp_path / "a", "memory://out", plate="1", mask="2")
    manifest = read_manifest(Store("memory://out"))
    assert manifest.is_complete
    assert (manifest.files, manifest.key, manifest.figures) == ({"mask": 1, "plate": 1}, "k", {"frames": 1})
    with pytest.raises(CleanplateError, match="Output exists: memory://out;"):
        uploaded(tmp_path / "b", "memory://out", plate="3")
    uploaded(tmp_path / "b", "memory://out", overwrite=True, plate="3")
    assert data(memory) == {"plate": "3"}
    memory.pipe_file("/out/cleaned", b"of somebody")
    with pytest.raises(CleanplateError, match="memory://out/cleaned is not a result"):
        uploaded(tmp_path / "c", "memory://out", overwrite=True, cleaned="4")
    assert data(memory) == {"plate": "3", "cleaned": "of somebody"}


def test_what_is_cut_off_is_absent_and_what_a_killed_run_left_is_replaced(memory, tmp_path, monkeypatch):
    cut = []

    def after_some():
        cut.append(len(data(memory)))
        if cut[-1]:
            raise CancelledError("Enough.")

    monkeypatch.setattr("core.io.remote.store.TOGETHER", 1)
    with pytest.raises(CancelledError):
        uploaded(tmp_path / "a", "memory://out", check=after_some, plate="1", mask="2")
    assert cut[-1] == 1
    assert there(memory) == {}
    with monkeypatch.context() as patched:  # As if the process had been killed, or the network cut for good.
        patched.setattr(RemoteResults, "_tidy_up", lambda *_: None)
        with pytest.raises(CancelledError):
            uploaded(tmp_path / "a", "memory://out", check=after_some)
    assert data(memory)
    assert not read_manifest(Store("memory://out")).is_complete
    uploaded(tmp_path / "b", "memory://out", mask="3")
    assert data(memory) == {"mask": "3"}


def test_who_is_late_removes_nothing_that_another_run_uploads(memory, tmp_path, monkeypatch):
    def other_one():
        if data(memory) and "other" not in json.loads(memory.cat_file(f"/out/{MANIFEST}"))["run"]:
            noted = json.loads(memory.cat_file(f"/out/{MANIFEST}"))
            memory.pipe_file(f"/out/{MANIFEST}", json.dumps({**noted, "run": "other"}).encode())
            raise CancelledError("Enough.")

    monkeypatch.setattr("core.io.remote.store.TOGETHER", 1)
    with pytest.raises(CancelledError):
        uploaded(tmp_path / "a", "memory://out", check=other_one, mask="1", plate="1")
    assert data(memory) == {"mask": "1"}


@pytest.mark.parametrize(
    "packed", [b"", b"[]", b'{"version":1}', b'{"version":1,"files":{"../x":1},"is_complete":true}', b'{"version":99}']
)
def test_what_is_no_manifest_is_neither_believed_nor_replaced(memory, tmp_path, packed):
    memory.pipe_file(f"/out/{MANIFEST}", packed)
    with pytest.raises(CleanplateError, match=r"memory://out/cleanplate\.json"):
        uploaded(tmp_path / "a", "memory://out", overwrite=True, plate="1")
    assert there(memory) == {MANIFEST: packed.decode()}


@pytest.mark.parametrize(
    ("name", "everywhere"),
    [("a/b.png", True), ("...a/.b", True), ("", False), ("a//b", False), ("../x", False), ("a/..", False)],
)
@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_names_that_lead_below_a_folder(name, everywhere, platform, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    assert leads_below(name) == everywhere


@pytest.mark.parametrize(
    "name", ["..\\..\\evil.bat", "a/..\\..\\x", "C:evil.bat", "a.png:stream", ".. /x", "a./b", "x "]
)
def test_names_that_windows_alone_takes_for_others_lead_nowhere_there(name, monkeypatch):
    for platform, leads in (("linux", True), ("win32", False)):
        monkeypatch.setattr(sys, "platform", platform)
        assert leads_below(name) == leads


@pytest.mark.parametrize("address", ["memory://in/..\\evil.mkv", "memory://in/clips"])
def test_on_windows_nothing_is_fetched_by_a_name_that_leads_elsewhere(memory, tmp_path, monkeypatch, address):
    memory.pipe({"/in/..\\evil.mkv": b"1", "/in/clips/a\\..\\..\\evil.bat": b"1"})
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(CleanplateError, match="rename it there"):
        fetch(address, tmp_path, never)
    memory.pipe_file(f"/out/{MANIFEST}", b'{"version":1,"files":{"..\\\\..\\\\x":1},"is_complete":true}')
    with pytest.raises(CleanplateError, match="outside of its folder"):
        read_manifest(Store("memory://out"))


def test_inputs_elsewhere_are_found_like_those_here(memory, tmp_path):
    memory.pipe(
        dict.fromkeys(["/a/10.mp4", "/a/2.mkv", "/a/notes.doc", "/p/1.png", "/m/x/1.png", "/s/input/1.png"], b"1")
    )
    assert found_inputs(["memory://a"]) == ["memory://a/2.mkv", "memory://a/10.mp4"]
    assert found_inputs(["memory://a/*.mkv", "memory://a/2.mkv"]) == ["memory://a/2.mkv"]
    assert found_inputs(["memory://p", "memory://m", "memory://s"]) == ["memory://p", "memory://m/x", "memory://s"]
    (tmp_path / "list.txt").write_text("memory://a/2.mkv\n")
    assert found_inputs([str(tmp_path / "list.txt")]) == ["memory://a/2.mkv"]
    for word, said in [
        ("memory://none", "Nothing is at"),
        ("memory://a/*.avi", "Nothing matches"),
        ("nowhere://a", "kind"),
    ]:
        with pytest.raises(CleanplateError, match=said):
            found_inputs([word])


def planned(tmp_path, name, *, resume):
    jobs, n_done = batch_list(tmp_path / name, ["memory://in/a.mkv"], (), resume=resume, address="memory://out")
    jobs.close()
    return jobs.jobs[0], n_done


def test_a_batch_goes_by_what_is_at_the_address_wherever_it_is_resumed(memory, tmp_path):
    memory.pipe_file("/in/a.mkv", b"film")
    job, n_done = planned(tmp_path, "here", resume=False)
    assert (job.output, job.owns_output, n_done) == ("memory://out/a", True, 0)
    assert job.words[-2:] == ["--key", job.key]
    results = tmp_path / "results"
    results.mkdir()
    (results / "plate").write_text("1")
    RemoteResults(job.output, overwrite=False).publish(results, key=job.key, figures={"frames": 2}, check=never)
    job, n_done = planned(tmp_path, "elsewhere", resume=True)
    assert (job.state, job.figures, n_done) == (JobState.DONE, {"frames": 2}, 1)
    job, n_done = planned(tmp_path, "anew", resume=False)
    assert (job.state, job.owns_output, n_done) == (JobState.WAITING, False, 0)
    memory.rm_file("/out/a/plate")
    job, n_done = planned(tmp_path, "elsewhere", resume=True)
    assert (job.state, job.owns_output, n_done) == (JobState.WAITING, True, 0)
    RemoteResults(job.output, overwrite=True).publish(results, key="another", figures={}, check=never)
    job, n_done = planned(tmp_path, "third", resume=True)
    assert (job.state, job.owns_output, n_done) == (JobState.WAITING, False, 0)
    memory.pipe_file("/in/a.mkv", b"another film")
    assert planned(tmp_path, "here", resume=True)[0].key != job.key


def test_other_file_systems_get_folders_where_they_need_some(tmp_path):
    uploaded(tmp_path / "a", f"file://{tmp_path}/out/below", plate="1")
    assert (tmp_path / "out" / "below" / "plate").read_text() == "1"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError("Access Denied"), "may not be used with the credentials"),
        (type("NoCredentialsError", (Exception,), {})("Unable to locate credentials"), "There are no credentials for"),
        (type("EndpointConnectionError", (Exception,), {})("no route"), "could not be reached"),
        (FileNotFoundError("The specified bucket does not exist"), "bucket does not exist"),
        (FileNotFoundError("my-bucket/in/clip.mkv"), None),
        (OSError(5, "Input/output error"), "could not be used"),
    ],
)
def test_whatever_a_library_raises_is_one_sentence(memory, monkeypatch, error, said):
    def fails(*_args, **_kwargs):
        raise error

    monkeypatch.setattr(type(memory), "info", fails)
    if said is None:
        assert Store("memory://in/clip.mkv").entry() is None
        return
    with pytest.raises(CleanplateError, match=said) as told:
        Store("memory://in/clip.mkv").entry()
    assert str(told.value).count(". ") == 0


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ftp://127.0.0.1:1/a.mp4", "could not be reached (Connection refused); check the network"),
        ("nowhere://a", "There is no kind of address nowhere://"),
    ],
)
def test_an_address_that_nobody_answers_at_is_one_sentence(address, said):
    with pytest.raises(CleanplateError, match=re.escape(said)):
        Store(address)


def test_what_another_file_system_lacks_is_not_said_to_come_with_ours(monkeypatch):
    def absent(*_, **__):
        raise ImportError("SFTPFileSystem requires paramiko", name="paramiko")

    monkeypatch.setattr(fsspec.core, "url_to_fs", absent)
    with pytest.raises(CleanplateError, match="requires paramiko\\); install what it asks for"):
        Store("sftp://host/a.mp4")
    with pytest.raises(CleanplateError, match="cleanplate\\[cluster\\]"):
        Store("s3://bucket/a.mp4")
