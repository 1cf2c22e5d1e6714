"""A page as a file of its own is the same picture."""

import io

import cv2
import numpy as np
import pytest
import tifffile

from core.io.sources.single_page import single_page
from tests.hostile.media import frames, media, stack

STACKS = [kind for kind in media() if kind.startswith("stack-") and kind not in {"stack-lzma", "stack-imagej"}]


@pytest.mark.parametrize("kind", STACKS)
def test_it_is_decoded_as_the_page_of_the_whole_file_is(kind):
    contents = media()[kind][1]
    with tifffile.TiffFile(io.BytesIO(contents)) as file:
        for index, page in enumerate(file.pages):
            alone = cv2.imdecode(np.frombuffer(single_page(page), np.uint8), cv2.IMREAD_UNCHANGED)
            data = np.frombuffer(contents, np.uint8)
            found, pages = cv2.imdecodemulti(data, cv2.IMREAD_UNCHANGED, range=(index, index + 1))
            assert found
            assert np.array_equal(alone, pages[0])


def test_a_file_that_ends_in_the_page_is_damaged():
    contents = stack(frames()[..., 0])
    with tifffile.TiffFile(io.BytesIO(contents)) as file:
        page = file.pages[0]
        page.dataoffsets = (len(contents) - 5,)
        with pytest.raises(ValueError, match="ends in its samples"):
            single_page(page)
