import numpy as np

from core.frames.coarse_grid import Grid
from core.scene.looks import LookGrid
from tests.core.scene.test_stillest_samples import layouts, scene


def look_plainly(layout, grid, v):
    """The sample of each plane that lies at each place, one by one."""
    look = np.empty((len(layout.shapes), *grid.shape), layout.dtype)
    for plane, i, j in np.ndindex(look.shape):
        part = layout.step(plane)
        look[plane, i, j] = layout.plane(v, plane)[i * grid.step // part, j * grid.step // part]
    return look


@layouts
def test_a_look_is_what_lies_at_the_places_of_the_grid_in_each_plane(layout):
    grid = Grid(layout.height, layout.width)
    np.testing.assert_array_equal(LookGrid(layout, grid).look(scene(layout)), look_plainly(layout, grid, scene(layout)))


@layouts
def test_a_row_of_looks_is_the_same_row_of_each_look(layout):
    looks, frames = LookGrid(layout, Grid(layout.height, layout.width)), [scene(layout, seed) for seed in range(3)]
    whole = np.stack([looks.look(v) for v in frames], axis=1)
    for i in range(whole.shape[2]):
        np.testing.assert_array_equal(looks.row(i, frames), whole[:, :, i])
