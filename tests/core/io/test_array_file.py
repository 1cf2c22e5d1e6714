"""Files of arrays: what they say is checked before it is believed, and odd archives are refused."""

import io
import struct
import zipfile

import numpy as np
import pytest

from core.errors import CleanplateError, NoRoomError
from core.io.array_file import MOST_ARRAYS, ArrayFileError, array_file


def _npy(array=None, header=None, version=(1, 0)):
    """The bytes of an array, or of one with another header."""
    if header is None:
        file = io.BytesIO()
        np.save(file, np.zeros((2, 3), np.float32) if array is None else array)
        return file.getvalue()
    packed = header.encode("latin-1").ljust(117) + b"\n"
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H", len(packed)) + packed + bytes(24)


def _archive(path, members, **options):
    """Write an archive with these members, as often as they are named."""
    with zipfile.ZipFile(path, "w", **options) as file:
        for name, contents in members:
            file.writestr(name, contents)
    return path


def _refused(path, sentence):
    with pytest.raises(ArrayFileError, match=sentence):
        _all_of(path)


def _all_of(path):
    """Read every array of a file."""
    with array_file(path) as file:
        return {name: file.read(name) for name in file.declared}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "arrays.npz"


@pytest.mark.parametrize("array", [np.zeros((2, 3), np.float32), np.array(7), np.zeros((0, 4)), np.eye(3)[1:].T])
def test_what_numpy_writes_is_read(array, path):
    np.savez(path, a=array, b=np.ones(1))
    with array_file(path) as file:
        assert file.declared["a"] == (array.dtype, array.shape)
        found = file.read("a")
    np.testing.assert_array_equal(found, array)
    assert found.shape == array.shape
    assert found.flags.c_contiguous


@pytest.mark.parametrize("read", ["read_array", "read_array_header_1_0"])
def test_too_little_memory_is_no_damage(path, monkeypatch, read):
    def full(*_, **__):
        raise MemoryError

    np.savez(path, a=np.eye(3))
    monkeypatch.setattr(f"numpy.lib.format.{read}", full)
    with pytest.raises(NoRoomError, match=r"too little memory to read \S+arrays\.npz; close other programs"):
        _all_of(path)


def test_names_that_come_twice_are_refused(path):
    with pytest.warns(UserWarning, match="Duplicate"):
        _archive(path, [("a.npy", _npy()), ("a.npy", _npy())])
    _refused(path, "a.npy more than once")


def test_compressed_arrays_are_refused_before_they_are_inflated(path):
    _archive(path, [("a.npy", _npy(header="{'descr': '<f4', 'fortran_order': False, 'shape': (1073741824,), }"))],
             compression=zipfile.ZIP_DEFLATED)  # fmt: skip
    _refused(path, "a is compressed")


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        ("(1073741824,)", "declares 4.295e.09 bytes and has 24"),
        ("(-6,)", "declares -24 bytes"),
        (f"({10**500},)", "damaged"),
        ("(((((((((", "damaged"),
        ("-" * 60 + "1", "damaged"),
        ("6L", "damaged"),
        ("[6]", "damaged"),
    ],
)
def test_a_shape_that_is_not_that_of_the_data_is_refused(shape, sentence, path):
    _archive(path, [("a.npy", _npy(header=f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"))])
    _refused(path, sentence)


@pytest.mark.parametrize("descr", ["'|O'", "[('a', 'O')]", "'<f4,' * 9", "'<q9'", "__import__('os')"])
def test_odd_types_are_refused(descr, path):
    _archive(path, [("a.npy", _npy(header=f"{{'descr': {descr}, 'fortran_order': False, 'shape': (6,), }}"))])
    _refused(path, "damaged|objects|declares")


def test_odd_members_and_archives_are_refused(path):
    for members, sentence in (
        ([("a.txt", b"text")], "a.txt is no array"),
        ([("a.npy", b"")], "damaged"),
        ([("a.npy", _npy(header="x" * 5000))], "damaged"),
        ([("a.npy", _npy(header="{}", version=(3, 0)))], "damaged"),
        ([(f"{i}.npy", _npy()) for i in range(MOST_ARRAYS + 1)], f"holds {MOST_ARRAYS + 1} files"),
        ([(f"{i:0500}.npy", b"") for i in range(200)], "directory is too large"),
        ([("a\x1b[31m.npy", b"")], "a\ufffd.31m is damaged"),
    ):
        _refused(_archive(path, members), sentence)
    _archive(path, [("a.npy", _npy())])
    whole = path.read_bytes()
    path.write_bytes(whole + b"more")
    _refused(path, "its end is missing")
    encrypted = whole.replace(b"PK\3\4\x14\0\0\0", b"PK\3\4\x14\0\1\0")
    path.write_bytes(encrypted.replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0"))
    _refused(path, "encrypted")
    path.write_bytes(b"")
    _refused(path, "no archive")
    with pytest.raises(CleanplateError, match="a folder"), array_file(path.parent):
        pass


def test_the_size_of_a_large_archives_directory_is_looked_at_too(path):
    _archive(path, [("a.npy", _npy())])
    end = struct.pack("<4sQHHLLQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, 1 << 40, 0)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, 0, 1)
    whole = path.read_bytes()
    path.write_bytes(whole[:-22] + end + locator + whole[-22:])
    _refused(path, "directory is too large")
