"""What strangers wrote is told to them by its place, and by what it has to be."""

import pytest

from core.scene.areas import Areas
from core.untrusted_json import UnreadableJsonError, decoded

SHAPE = '{"kind":"never","points":[[1,2],[3,4],[5,6]]}'


@pytest.mark.parametrize(
    ("packed", "said"),
    [
        ("shapes:" + SHAPE.replace("never", "sometimes"),
         "shapes, number 2, kind: “sometimes” is not known there; it has to be keep, never or none"),
        ("shapes:" + SHAPE.replace("2]", '"a"]'),
         "shapes, number 2, points, number 1, number 2: it has to be a number, and is a text"),
        ("shapes:" + SHAPE.replace("2]", "2,3]"), "shapes, number 2, points, number 1: it has to hold 2 entries"),
        ("shapes:" + '{"kind":"never","points":[]}', "shapes, number 2, points: it has to hold at least 1 entry"),
        ("shapes:" + SHAPE.replace("}", ',"thickness":900}'), "shapes, number 2, thickness: it has to be at most 200"),
        ("shapes:" + '{"points":[[1,2]]}', "shapes, number 2: “kind” is missing"),
        ('{"size":[0.5,3]}', "size, number 1: it has to be a whole number"),
        ('{"size":3}', "size: it has to be a list or null, and is a whole number"),
        ('{"sizes":3}', "“sizes” is no name that is known there"),
        ('{"codes":"%"}', "codes: it is no picture as this program writes it"),
        ("{", "it ends too soon"),
        ("areas", "it is no JSON from byte 1 on"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_plain_words(packed, said):
    if packed.startswith("shapes:"):
        packed = f'{{"shapes":[{SHAPE},{packed.removeprefix("shapes:")}]}}'
    with pytest.raises(UnreadableJsonError) as caught:
        decoded(packed.encode(), Areas)
    assert str(caught.value) == said


def test_bytes_that_are_no_text_are_said_to_be_so():
    with pytest.raises(UnreadableJsonError, match="not coded in UTF-8"):
        decoded(b'{"sizes": "\xe4"}', dict[str, str])
