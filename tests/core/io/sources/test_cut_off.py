import io

import pytest

from core.io.sources.cut_off import SAID_AHEAD, is_cut_off
from tests.films import write_film

FILMS = [("matroska,webm", ".mkv", "libx264"), ("flv", ".flv", "flv1"), ("mxf", ".mxf", "mpeg2video")]


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    folder = tmp_path_factory.mktemp("films")
    return {
        container: write_film(folder / f"a{suffix}", 60, codec=codec, b_frames=0).read_bytes()
        for container, suffix, codec in FILMS
    }


def test_every_container_that_says_ahead_how_long_it_lasts_is_tried(films):
    assert films.keys() == SAID_AHEAD


@pytest.mark.parametrize("container", sorted(SAID_AHEAD))
def test_a_file_is_cut_off_where_bytes_are_missing_or_are_none(films, container):
    whole = films[container]
    assert not is_cut_off(io.BytesIO(whole), container)
    for share in (0.3, 0.6, 0.9):
        n_bytes = int(share * len(whole))
        assert is_cut_off(io.BytesIO(whole[:n_bytes]), container)
    # As what was fetched in part is, where its room was taken first.
    assert is_cut_off(io.BytesIO(whole[:n_bytes] + bytes(2 * len(whole))), container)


def test_a_segment_says_what_is_missing_behind_a_whole_cluster(films):
    whole = films["matroska,webm"]
    behind = whole.rindex(b"\x1c\x53\xbb\x6b")  # the index of places, behind the last cluster
    assert is_cut_off(io.BytesIO(whole[:behind]), "matroska,webm")


def test_of_elements_that_do_not_say_how_long_they_are_nothing_is_said(films):
    """As what is sent while it is recorded has them."""
    sent = bytearray(films["matroska,webm"])
    for key in (b"\x18\x53\x80\x67", b"\x1f\x43\xb6\x75"):
        place = sent.index(key) + 4
        length = 9 - sent[place].bit_length()
        sent[place : place + length] = bytes([0xFF >> (length - 1)]) + b"\xff" * (length - 1)
    assert not is_cut_off(io.BytesIO(sent[: len(sent) // 2]), "matroska,webm")


@pytest.mark.parametrize("container", sorted(SAID_AHEAD))
def test_of_what_begins_otherwise_nothing_is_said(container):
    assert not is_cut_off(io.BytesIO(bytes(100)), container)
