"""What is packed gives as much as is asked for, and says when it is damaged."""

import lzma
import zlib

import pytest
import tifffile

from core.io.sources.unpacking import inflate, unpack_lzma, unpack_packbits

DATA = bytes(range(256)) * 4
BITS = b"\xfe\xaa\x02\x80\x00\x2a\xfd\xaa\x03\x80\x00\x2a\x22\xf7\xaa"


@pytest.mark.parametrize(("pack", "unpack"), [(zlib.compress, inflate), (lzma.compress, unpack_lzma)])
def test_all_or_the_start_is_unpacked(pack, unpack):
    assert unpack(pack(DATA)) == unpack(pack(DATA), out=len(DATA)) == unpack(pack(DATA), out=10**6) == DATA
    assert unpack(pack(bytes(10**7)), out=1000) == bytes(1000)


@pytest.mark.parametrize(
    ("pack", "unpack", "error"), [(zlib.compress, inflate, zlib.error), (lzma.compress, unpack_lzma, EOFError)]
)
def test_what_is_cut_short_is_damaged(pack, unpack, error):
    with pytest.raises(error):
        unpack(pack(DATA)[: len(pack(DATA)) // 2], out=len(DATA))


def test_a_wrong_sum_is_damage():
    packed = bytearray(zlib.compress(DATA))
    packed[-1] ^= 1
    with pytest.raises(zlib.error):
        inflate(bytes(packed), out=len(DATA))


def test_packbits_is_unpacked_as_tifffile_does():
    plain = b"\xaa" * 3 + b"\x80\x00\x2a" + b"\xaa" * 4 + b"\x80\x00\x2a\x22" + b"\xaa" * 10
    assert unpack_packbits(BITS) == unpack_packbits(b"\x80" + BITS, out=1000) == plain
    assert len(unpack_packbits(b"\x81\0" * 10_000, out=100)) <= 128


def test_tifffile_unpacks_so():
    assert tifffile.TIFF.DECOMPRESSORS[8] is inflate
    assert tifffile.TIFF.DECOMPRESSORS[1](b"as it is") == b"as it is"
    with pytest.raises(KeyError):
        tifffile.TIFF.DECOMPRESSORS[5]
