import numpy as np
import pytest

from core.frames.coarse_grid import Coarse, Grid
from core.frames.frame import Layout, Planes
from core.scene.masks import shadows

SHAPE = (61, 91)
LAYOUTS = {np.uint8: Layout(*SHAPE, Planes.GREY), np.uint16: Layout(*SHAPE, Planes.GREY, 16)}
THING, DARK = np.s_[10:50, 20:60], np.s_[22:38, 32:48]


def found(light, marked, thing=None, dtype=np.uint8):
    """What counts as shadow on textured ground in some light, behind a thing of another texture, of what is marked."""
    rng, white = np.random.default_rng(0), np.iinfo(dtype).max
    unit = white / 255
    ground = np.kron(rng.uniform(90, 170, (16, 23)), np.ones((4, 4)))[: SHAPE[0], : SHAPE[1]]
    seen = ground * light + rng.standard_normal(SHAPE)
    if thing is not None:
        seen[thing] = rng.uniform(0, 255, SHAPE)[thing]
    now, known = ((x * unit).clip(0, white).astype(dtype) for x in (seen, ground))
    none = np.empty((0, 0), dtype)
    pictures = Coarse(Grid(*SHAPE), [now, none, none], [known, none, none])
    pictures.now[0][:], pictures.known[0][:] = now, known
    pictures.mask[:] = np.where(marked, 255, 0)
    out = np.empty(SHAPE, np.uint8)
    shadows.find(pictures, np.full(SHAPE, (2 * unit) ** 2, np.float32), LAYOUTS[dtype], out)
    return out > 0


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("down", [False, True])
def test_a_shadow_is_found_where_its_light_changes_evenly(dtype, down):
    across = np.interp(np.arange(SHAPE[0] if down else SHAPE[1]), [10, 19, 29, 39, 48], [0.95, 0.55, 0.92, 0.55, 0.95])
    light = np.broadcast_to(across[:, None] if down else across, SHAPE)
    marked = light < 0.93
    assert found(light, marked, dtype=dtype)[marked].mean() > 0.8


def test_light_that_jumps_to_and_fro_is_no_shadow():
    light = np.where(np.indices(SHAPE).sum(axis=0) // 2 % 2, 0.5, 0.8)
    assert found(light, np.ones(SHAPE, bool)).mean() < 0.02


@pytest.mark.parametrize("enclosed", [True, False])
def test_what_is_dimmed_within_a_thing_is_a_part_of_it(enclosed):
    light, thing, marked = np.ones(SHAPE), np.zeros(SHAPE, bool), np.zeros(SHAPE, bool)
    light[DARK] = 0.6
    thing[THING] = enclosed
    thing[DARK] = False
    marked[DARK] = True
    share = found(light, marked | thing, thing)[DARK].mean()
    assert share == 0 if enclosed else share > 0.9


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (3, 2)])
def test_narrow_pictures_do_no_harm(shape):
    known, now = np.random.default_rng(0).integers([[[120]], [[50]]], [[[250]], [[150]]], (2, *shape)).astype(np.uint8)
    none = np.empty((0, 0), np.uint8)
    pictures = Coarse(Grid(*shape), [now, none, none], [known, none, none])
    pictures.now[0][:], pictures.known[0][:], pictures.mask[:] = now, known, 255
    out = np.empty(shape, np.uint8)
    shadows.find(pictures, np.full(shape, 4, np.float32), Layout(*shape, Planes.GREY), out)
    assert np.isin(out, (0, 255)).all()
