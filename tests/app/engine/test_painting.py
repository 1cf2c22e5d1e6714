"""What was painted on the picture, at the size at which a session works."""

import cv2
import numpy as np
import pytest

from app.engine.painting import Painting
from core.io.sources import InputSpec, open_source
from core.session.session import Session
from core.session.settings import Settings


@pytest.mark.parametrize(("width", "least", "most"), [(2, 10, 60), (40, 250, 330)])
def test_a_stroke_is_taken_however_thin_at_a_small_working_size(width, least, most):
    source = open_source(InputSpec("sample:street", size=(80, 60), frames=(1, 40)))
    session = Session(source, Settings())
    reports = session.run()
    report = next(reports)
    full = report.frame.full.layout
    where = np.zeros((full.height, full.width), bool)
    where[10 : full.height // 2, 50 : 50 + width] = True
    Painting(report, where, True, None).put_on(session)
    (stroke,) = session.strokes.now.strokes
    covered = cv2.resize(stroke.where.view(np.uint8), where.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
    assert covered[where].mean() > 0.9
    assert least <= np.count_nonzero(stroke.where) <= most
    reports.close()
    source.close()
