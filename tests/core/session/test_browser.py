"""Frames are shown in any order, and what is learnt does not depend on it."""

import hashlib
import threading
from random import Random

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import NO_SHIFT
from core.io.sources import InputSpec, open_source
from core.session.phase import Phase
from core.session.session import Session
from core.session.settings import Settings

N = 16
SMALL = InputSpec("sample:street", size=(48, 36), frames=(1, N))
FEW = {"rank": 2, "iterations": 3}


def known(session) -> str:
    """Return a checksum of all that a session has learnt."""
    sum_ = hashlib.sha256()
    model = session.model()
    for state in (model.method_state, model.mask_state, {"plate": session.plate(), "seen": session.confidence()}):
        for name in sorted(state):
            sum_.update(name.encode() + np.ascontiguousarray(state[name]).tobytes())
    return sum_.hexdigest()


def learn(settings, spec, between=lambda session: None) -> tuple[str, list[str]]:
    """Run to the end, with something done between frames; return what was learnt, and the masks."""
    source = open_source(spec)
    try:
        session = Session(source, settings)
        masks = []
        for report in session.run():
            masks.append(hashlib.sha256(report.mask.tobytes() + report.background_image.tobytes()).hexdigest())
            between(session)
        between(session)
        return known(session), masks
    finally:
        source.close()


def browsing(seed: int):
    """Return what looks at some frames in no order, now and then."""
    random = Random(seed)

    def look(session) -> None:
        for _ in range(random.choice((0, 0, 1, 2))):
            reports = session.browse(random.randrange(N + 3))
            for _ in range(random.randrange(1, 4)):
                next(reports, None)
            reports.close()

    return look


@pytest.mark.parametrize("key", catalogue.METHODS)
def test_what_is_learnt_does_not_depend_on_how_a_person_browses(key):
    own = catalogue.parameters(catalogue.row(key))
    settings = Settings(key, {name: value for name, value in FEW.items() if name in own})
    assert learn(settings, SMALL, browsing(1)) == learn(settings, SMALL)


def test_nor_does_it_in_the_second_pass_or_where_the_camera_shakes(tmp_path):
    spec = InputSpec("sample:street", size=(160, 120), frames=(1, N))
    assert learn(Settings("fast", passes=2), spec, browsing(2)) == learn(Settings("fast", passes=2), spec)
