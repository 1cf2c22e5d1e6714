"""Numbers that were set by hand: each is in the table of them, and what it does is noticed when it moves by half."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from core.scene import tuning
from tests.core.scene import held_masks, held_plates

ROOT = Path(__file__).resolve().parents[3]
SCENE = Path(tuning.__file__).parent
"""The modules that are looked at; they may be installed elsewhere."""

HELD = {
    "tuning.SETTLED_FRAMES": (held_masks.settled_frames, "masks.ghosts"),
    "tuning.MEMORY": (held_masks.memory, "masks.statistics"),
    "tuning.NOISE": (held_masks.noise, "masks.statistics", "masks.head"),
    "tuning.DIFFERS": (held_masks.differs, "masks.head"),
    "tuning.LIKENESS": (held_masks.likeness, "masks.strokes"),
    "tuning.FEW": (held_masks.few, "illumination"),
    "tuning.SURE": (held_masks.sure, "masks.detection", "masks.parameters"),
    "tuning.BLOCKS": (held_masks.blocks, "illumination"),
    "masks.statistics.FASTEST": (held_masks.fastest, "masks.statistics"),
    "masks.statistics.CLIP": (held_masks.clip, "masks.statistics"),
    "masks.head.FEWEST": (held_masks.fewest, "masks.head"),
    "masks.ghosts.REACH": (held_masks.reach, "masks.ghosts"),
    "masks.parameters.PIXELS_A_REGION": (held_masks.a_region, "masks.parameters"),
    "masks.parameters.PIXELS_A_HOLE": (held_masks.a_hole, "masks.parameters"),
    "masks.matte.REACH": (held_masks.band, "masks.matte"),
    "masks.sway.MOST": (held_plates.asked, "masks.sway"),
    "surroundings.AROUND": (held_plates.around, "surroundings"),
    "plate_consensus.ALIKE": (held_plates.alike, "plate_consensus"),
    "surroundings.MAJORITY": (held_plates.majority, "surroundings", "plate_consensus"),
    "plate_consensus.STILL": (held_plates.still, "plate_consensus"),
    "stillest_samples.DENSE_FRAMES": (held_plates.dense_frames, "stillest_samples"),
    "stillest_samples.APART": (held_plates.apart, "stillest_samples"),
    "stillest_samples.HIDDEN": (held_plates.hidden, "stillest_samples"),
    "stillest_samples.RESTLESS": (held_plates.restless, "stillest_samples"),
}
"""Of each number, what is held of it, and the modules of `core.scene` that are looked at while it moves."""

DEFINED = {
    "masks.cells.MOST_ROWS": "what the head was trained on",
    "masks.head_weights.REACHES": "architecture",
    "masks.head_weights.FEATURES": "a version",
    "masks.head_bands.BAND_ROWS": "cost",
    "masks.cells.COST": "cost",
    "masks.head.BLOCK_VALUES": "cost",
    "masks.head_bands.LINE": "cost",
    "masks.head.NOTHING": "no logit at all",
    "masks.white_balance.SAMPLES": "cost",
    "masks.white_balance.ROUNDED": "rounding",
    "masks.highlights.LEVELS": "what a file may hold",
    "masks.statistics.LEVELS": "what a file may hold",
    "masks.statistics.LEAST_VARIANCE": "rounding",
    "masks.statistics.SOME": "cost",
    "masks.ghosts.NEIGHBOURS": "a cell and those next to it",
    "masks.ghosts.CHANGE": "LIKENESS in grey levels",
    "masks.detection.PULL": "twice SURE",
    "masks.corrections.NO_FRAME": "no frame at all",
    "masks.finish.SQUARE": "geometry",
    "masks.stroke_room.MOST": "memory",
    "masks.painted_schema.ALL": "a mark in files",
    "masks.lessons.MOST": "memory",
    "masks.lessons.MOST_REST": "memory",
    "masks.lessons.MOST_LESSONS": "memory",
    "masks.lessons.JUDGED": "twice SURE",
    "masks.lessons.NO_CELLS": "none",
    "masks.lessons.DESCRIBED": "what describes a cell",
    "masks.look_alikes.MOST_CENTRES": "cost",
    "masks.look_alikes.STEPS": "numerics",
    "masks.look_alikes.CONVERGED": "numerics",
    "masks.recent.A_FRAME": "memory",
    "masks.strokes.LIGHT_SAMPLES": "cost",
    "illumination.SAMPLES": "cost",
    "masks.matte.NEIGHBOURS": "the largest median of 16 bits that there is",
    "masks.sway.EVERY": "cost",
    "masks.sway.AROUND": "what the head sees",
    "masks.sway.CALM": "LIKENESS in grey levels",
    "clean_plate.BUDGET_BYTES": "memory",
    "clean_plate.LEAN_BYTES": "memory",
    "plate_frame.FEWEST": "memory",
    "clean_plate.MOST": "memory",
    "clean_plate.WHOLE": "memory",
    "plate_consensus.VOTERS": "cost",
    "plate_consensus.ROUNDING": "rounding",
    "plate_samples.ROWS": "cost",
    "stillest_samples.EMPTY": "a mark",
}
"""Numbers that are none of tuning, and what they are; parameters are the user's."""

FILES = (
    "tuning.py",
    "illumination.py",
    "clean_plate.py",
    "plate_*.py",
    "stillest_samples.py",
    "surroundings.py",
    "masks/*.py",
)
"""Modules of masks, plates, ghosts and light."""


KERNELS = (
    "clean_plate",
    "stillest_samples",
    "median",
    "noise",
    "edges",
    "matte",
    "regions",
    "neighbourhoods",
    "sway",
    "likeness",
)
"""Their kernels; those of the head compute what it was trained on."""

PLAIN = {0, 0.25, 0.5, 0.75, 1, 2, 3, 255, 65535}
"""Numbers within functions that tune nothing: counts of planes and neighbours, middles and their weights, white."""

WITHIN = {
    "masks/followed_strokes.py": {254: "all that a byte counts"},
    "kernels/edges": {4: "side of a cell", 8: "side of a cell"},
    "kernels/likeness": {4: "numbers at a time", 64: "numerics"},
    "masks/ghosts.py": {8: "neighbours"},
    "masks/head_bands.py": {4: "bytes"},
    "masks/lessons.py": {30: "numerics"},
    "masks/lessons_schema.py": {4: "shape", 32: "bits"},
    "masks/likeness.py": {1e-6: "numerics", 1e-4: "rounding"},
    "masks/look_alikes.py": {1e-6: "numerics", 1e-4: "numerics"},
    "masks/matte.py": {257: "depth"},
    "masks/painted_schema.py": {6: "shape", 8: "bits"},
    "masks/parameters.py": {50: "a default", 100: "percent"},
    "masks/statistics.py": {1.001: "rounding"},
    "masks/strokes.py": {5: "most of what is around", 127: "half of white"},
}
"""Other numbers within functions, by module, and what they are."""


def modules():
    return [file for pattern in FILES for file in sorted(SCENE.glob(pattern))]


def by_hand():
    """Names of what is set to a number at the top of a module of masks, plates, ghosts and light."""
    for file in modules():
        name = file.relative_to(SCENE)
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and any(is_number(x) for x in ast.walk(node)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [x.id for target in targets for x in ast.walk(target) if isinstance(x, ast.Name)]
                yield from (".".join((*name.with_suffix("").parts, x)) for x in names)


def is_number(node):
    return isinstance(node, ast.Constant) and type(node.value) in {int, float}


def test_every_number_that_is_set_by_hand_is_held_and_told():
    found = {name for name in by_hand() if not name.endswith(("_PARAMETERS", ".SCHEMA"))}
    assert found == HELD.keys() | DEFINED.keys()
    told = re.findall(r"^\| `([a-z_.]+[A-Z_]+)` \|", (ROOT / "docs" / "head.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(told) == sorted(HELD)


def test_no_number_that_tunes_is_hidden_within_a_function():
    kernels = SCENE.parent / "kernels"
    files = {file.relative_to(SCENE).as_posix(): file for file in modules()}
    files |= {f"kernels/{name}": kernels / f"{name}.py" for name in KERNELS}
    found = {}
    for name, file in files.items():
        functions = [x for x in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(x, ast.FunctionDef)]
        numbers = {x.value for function in functions for x in ast.walk(function) if is_number(x)} - PLAIN
        if numbers:
            found[name] = numbers
    assert found == {name: set(told) for name, told in WITHIN.items()}


@pytest.mark.parametrize("name", HELD)
def test_what_a_number_does_is_noticed_when_it_moves_by_half(name, monkeypatch):
    holds, *modules = HELD[name]
    holds()
    defined_in, number = name.rsplit(".", 1)
    value = getattr(import_module(f"core.scene.{defined_in}"), number)
    for factor in (0.5, 1.5):
        for module in modules:
            monkeypatch.setattr(import_module(f"core.scene.{module}"), number, type(value)(value * factor))
        with pytest.raises(AssertionError):
            holds()
        monkeypatch.undo()
