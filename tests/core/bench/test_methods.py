"""What methods are compared by: figures, the true plate, and settings by name."""

import numpy as np
import pytest

from core.bench.methods import TruePlate, measure, settings_for
from core.errors import CleanplateError
from core.frames.frame import Frame, Layout, Planes, Truth
from core.io.sources import InputSpec, open_source
from core.session.session import Session


def open_street():
    return open_source(InputSpec("sample:street", frames=(1, 24), size=(96, 72)))


def test_the_figures_are_those_of_a_session():
    (settings,) = settings_for(["median"], {})
    result = measure(open_street, settings, TruePlate())
    reports = list(Session(open_street(), settings).run())
    assert result.n_frames == 24
    assert result.figures["f_measure"] == reports[-1].figures["f_measure"]
    assert result.figures["relative_error"] == reports[-1].figures["relative_error"]
    assert result.figures["psnr_db"] == pytest.approx(np.mean([r.figures["psnr_db"] for r in reports]))
    assert [index for index, _ in result.residuals] == list(range(24))
    assert result.example.index == 23
    assert result.mib > 10


def test_only_the_last_pass_is_scored():
    (settings,) = settings_for(["opgd"], {"opgd.rank": "2"}, passes=2)
    result = measure(open_street, settings, TruePlate())
    assert result.n_frames == 24
    assert settings.values == {"rank": 2}


def labelled(n=12):
    """A scene of one grey that a bright bar crosses, with its labels and noise-free samples unknown."""
    layout = Layout(8, 24, Planes.GREY)
    for i in range(n):
        mask = np.zeros((8, 24), np.uint8)
        mask[:, 2 * i : 2 * i + 3] = 255
        values = np.where(mask > 0, 250, 90).astype(np.uint8)
        yield Frame(i, float(i), values.ravel(), layout, Truth(mask=mask))


def test_the_true_plate_is_what_was_labelled_as_background():
    truth = TruePlate()
    for frame in labelled():
        truth.offer(frame)
    truth.complete()
    layout = Layout(8, 24, Planes.GREY)
    plain = np.full(8 * 24, 90, np.uint8)
    assert truth.score(Frame(0, 0.0, plain, layout)) == {"age": 0, "peps": 0}
    half = plain.copy()
    half[::2] += 30
    assert truth.score(Frame(0, 0.0, half, layout)) == {"age": 15, "peps": 50}


def test_no_plate_is_scored_without_labels():
    truth = TruePlate()
    truth.complete()
    assert truth.score(Frame(0, 0.0, np.zeros(4, np.uint8), Layout(2, 2, Planes.GREY))) == {}


def test_a_value_goes_to_all_that_have_it_and_one_with_a_key_to_its_own():
    fast, opgd, median = settings_for(["fast", "opgd", "median"], {"rank": "4", "opgd.rank": "7"}, 2, 3)
    assert (fast.values, opgd.values, median.values) == ({"rank": 4}, {"rank": 7}, {})
    assert (fast.passes, fast.seed) == (2, 3)


@pytest.mark.parametrize(
    ("methods", "values", "sentence"),
    [
        (["nonsense"], {}, "no method 'nonsense'"),
        (["fast", "median"], {"foo": "1"}, "None of fast, median has a parameter 'foo'"),
        (["fast"], {"opgd.rank": "1"}, "None of fast has a parameter 'opgd.rank'"),
        (["fast"], {"rank": "0"}, "rank cannot be 0"),
        (["fast", "fast"], {}, "Name each method"),
        ([], {}, "Name each method"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(methods, values, sentence):
    with pytest.raises(CleanplateError, match=sentence):
        settings_for(methods, values)


def test_an_input_without_frames_is_one_sentence():
    class Empty:
        info = open_street().info
        warnings: tuple = ()

        def frames(self, first=0):
            yield from ()

        def close(self):
            pass

    with pytest.raises(CleanplateError, match="no frames"):
        measure(Empty, settings_for(["median"], {})[0], TruePlate())
