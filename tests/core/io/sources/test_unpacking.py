"""What is packed gives as much as is asked for, and says when it is damaged."""

import lzma
import zlib

import numpy as np
import pytest
import tifffile

from core.io.sources.unpacking import inflate, unpack_bits, unpack_lzma, unpack_packbits
from tests.core.io.sources.decoders.tiff_kinds import packed_bits

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


@pytest.mark.parametrize("n_bits", range(1, 17))
@pytest.mark.parametrize("length", [1, 7, 8])
def test_integers_of_any_bits_are_those_that_were_packed_row_by_row(n_bits, length):
    rows = np.random.default_rng(n_bits).integers(0, 1 << n_bits, (3, length))
    packed = packed_bits(rows, n_bits) if n_bits != 16 else rows.astype(">u2").tobytes()
    assert unpack_bits(packed, np.uint16, n_bits, runlen=length).tolist() == rows.ravel().tolist()
    cut = unpack_bits(packed[:-1], np.uint16, n_bits, runlen=length)
    assert cut.tolist() == rows[:2].ravel().tolist(), "whole rows"


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
