import pytest

from core.io.sources.label_names import labels_of


@pytest.mark.parametrize(
    ("images", "labels", "found", "unclear"),
    [
        pytest.param(
            ["in000001.jpg", "in000002.jpg"], ["gt000002.png"], {"in000002.jpg": "gt000002.png"}, [], id="cdnet"
        ),
        pytest.param(["in0.jpg", "in1.jpg"], ["gt000.png"], {"in0.jpg": "gt000.png"}, [], id="zeros"),
        pytest.param(["walk.jpg"], ["walk.png"], {"walk.jpg": "walk.png"}, [], id="no numbers"),
        pytest.param(["walk.jpg"], ["run.png"], {}, [], id="other names"),
        pytest.param(["walk.jpg"], [], {}, [], id="none"),
        pytest.param(
            ["a_1.jpg", "b_1.jpg"],
            ["a_1.png", "b_1.png"],
            {"a_1.jpg": "a_1.png", "b_1.jpg": "b_1.png"},
            [],
            id="cameras",
        ),
        pytest.param(["a_1.jpg", "b_1.jpg"], ["a_1.png"], {"a_1.jpg": "a_1.png"}, [], id="one camera is labelled"),
        pytest.param(["a_1.jpg", "b_1.jpg"], ["gt1.png"], {}, ["a_1.jpg", "b_1.jpg"], id="labels of one of two"),
        pytest.param(["1.jpg"], ["gt1.png", "other1.png"], {}, ["1.jpg"], id="two labels for one"),
    ],
)
def test_labels_are_of_the_image_of_their_name_or_of_their_number_where_one_has_it(images, labels, found, unclear):
    assert labels_of(images, labels) == (found, unclear)
