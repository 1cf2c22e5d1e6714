"""Shadows taken off one face under many lights: Zhao & Tan (2017), section VII-G, figure 8 and table II."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from core.bench.experiments.base import Claim, Progress, Result, Run, Table, number
from core.bench.experiments.lights import LitFace, drawn_lights, yale_lights
from core.bench.experiments.runs import Fitted, fit
from core.frames.frame import Layout
from core.methods.online.settings import IMAGE_SET_ROUNDS
from core.nmf.encoders.base import Encoding

METHODS = ("oadmm", "opgd", "badmm", "bpgd", "onmf", "orpca")
"""As in the paper's table II."""

ONLINE, BATCH = ("oadmm", "opgd"), ("badmm", "bpgd")

ONE_COPY, ROUNDS = "one copy", "the catalogue's rounds"
BESIDE = (*((key, ONE_COPY) for key in (*ONLINE, "orpca")), *((key, ROUNDS) for key in ONLINE))
"""Run from one start for the notes: what is left of the start after one copy, and what more rounds do."""

SIZE = (84, 96)
"""Working size, half of that of the files, pixels."""

RANKS = (49, 4)
"""The paper's K, and what a matt surface needs, which is 3, and one for the light that is everywhere."""

TAU, PASSES, REPEATS = 10, 20, 10
"""Mini-batch, how often the pictures are repeated, and from how many starts online methods learn at the paper's rank;
the others learn from one."""

BRIGHTEST, MOST_SHADOW = 2.0, 0.4
"""Of a picture that is scored: what it would show at most, units of white, and share of its pixels in shadow."""

SPECK = 25
"""Grey levels of 255."""

EXAMPLES = 6
"""Pictures on the contact sheet: those with most shadow, one in so many that they spread over all."""

TILE, CAPTION, GAP = 96, 18, 4
"""Of the sheet, pixels: least width of a picture, height of the line of text, space between pictures."""


@dataclass(frozen=True)
class Score:
    """What a method did to shadows.

    Attributes
    ----------
    removed : float
        Part of the error in shadow that is gone, %: 100 where all shows what it would show without shadow, 0 where
        nothing changed, below 0 where it is worse than before.
    disturbed : float
        Mean change of what lies in full light, grey levels of 255: nothing there should change.
    specks : float
        Part of the pixels that differ from the median of the 3×3 around them by more than `SPECK`, less those that did
        so in the input, %.
    seconds : float
        Of learning.
    """

    removed: float
    disturbed: float
    specks: float
    seconds: float


def run(data: Path | None, seed: int, quick: bool) -> Run:
    """Learn one person's pictures with each method at both ranks; see `core.bench.experiments.base`."""
    if data is None:
        face = drawn_lights(12 if quick else 64, 24 if quick else 64, seed)
    else:
        face = yale_lights(data, (42, 48) if quick else SIZE)
    scored = scored_pictures(face)
    ranks = (12, RANKS[1]) if quick else RANKS
    passes = 2 if quick else PASSES
    chosen = {"lam": face.faces.layout.n_values**-0.5, "batch": TAU, "rounds": 1}
    repeats = 1 if quick else REPEATS
    measured: dict[int, dict[str, list[Score]]] = {rank: {key: [] for key in METHODS} for rank in ranks}
    pictures: dict[str, NDArray[np.float32]] = {}
    plan = [
        (rank, key, start) for rank in ranks for key in METHODS
        for start in range(1 if key in BATCH or rank != ranks[0] else repeats)
    ]  # fmt: skip
    n_runs = len(plan) + len(BESIDE)
    for done, (rank, key, start) in enumerate(plan):
        yield Progress(done, n_runs, f"{key}, rank {rank}")
        found = learn(face, key, {**chosen, "rank": rank}, seed + start, passes)
        measured[rank][key].append(score(face, scored, found))
        if rank == ranks[0] and start == 0:
            pictures[key] = found.background
    scores = {rank: {key: mean_score(found) for key, found in by_key.items()} for rank, by_key in measured.items()}
    beside: dict[tuple[str, str], Score] = {}
    for done, (key, what) in enumerate(BESIDE, len(plan)):
        yield Progress(done, n_runs, f"{key}, {what}")
        differs, copies = ({}, 1) if what == ONE_COPY else ({"rounds": IMAGE_SET_ROUNDS}, passes)
        found = learn(face, key, {**chosen, "rank": ranks[0], **differs}, seed, copies)
        beside[key, what] = score(face, scored, found)
    yield Progress(n_runs, n_runs, "sheet")
    width, height = face.faces.layout.width, face.faces.layout.height
    return Result(
        title="Shadow removal",
        paper="Zhao & Tan 2017, section VII-G, figure 8 and table II",
        data=f"{len(face.faces.V)} {face.faces.title} of {width}×{height} pixels, each scaled to maximum 1.",
        setting=f"λ = 1/√F, mini-batches of {TAU}, each learnt from once, the pictures repeated {passes} times for"
        f" all; all else as the catalogue has it. At rank {ranks[0]} the online methods' figures are means of {repeats}"
        " starts (the paper: 10), the others' are of one. Times are of one core's work.",
        tables=tuple(_table(rank, scores[rank]) for rank in ranks),
        claims=claims(scores[ranks[0]]),
        figures={
            "scored_pictures": int(scored.sum()), "shadow_share": float(face.shadow[scored].mean()),
            "by_rank": {str(rank): {key: asdict(s) for key, s in found.items()} for rank, found in scores.items()},
            "beside": {f"{key}, {what}": asdict(s) for (key, what), s in beside.items()},
        },
        sheet=contact_sheet(face, scored, pictures),
        notes=(_note(face, int(scored.sum())), *_reasons(scores[ranks[0]], beside)),
    )  # fmt: skip


def scored_pictures(face: LitFace) -> NDArray[np.bool_]:
    """Return which pictures (n,) are scored: those that are partly in shadow, most of it as Lambert's law has it.

    Where hardly anything is lit, scaling to maximum 1 makes a picture so bright that what it would show without
    shadow lies far above white; where nearly all is darker than the law has it, the exposure failed.
    """
    share = face.shadow.mean(axis=1)
    return np.asarray((face.ideal.max(axis=1) < BRIGHTEST) & (share > 0) & (share < MOST_SHADOW), np.bool_)


def score(face: LitFace, scored: NDArray[np.bool_], found: Fitted) -> Score:
    """Return how much of the shadows is gone in those that are scored (n,), and how much else has changed."""
    V, ideal, recovered = (x[scored] for x in (face.faces.V, face.ideal, found.background))
    shadow, lit = face.shadow[scored], face.lit[scored]
    before, after = (np.abs(x - ideal)[shadow].sum() for x in (V, recovered))
    disturbed = 255 * np.abs(recovered - V)[lit].mean()
    removed = 100 * (1 - after / max(before, 1e-9))
    more = speckled(recovered, face.faces.layout) - speckled(V, face.faces.layout)
    return Score(float(removed), float(disturbed), 100 * more, found.seconds)


def speckled(pictures: NDArray[np.float32], layout: Layout) -> float:
    """Return the share of the pixels of pictures (n, F) that stand out from the median of the 3×3 around them."""
    images = np.rint(255 * np.clip(pictures, 0, 1)).astype(np.uint8).reshape(-1, layout.height, layout.width)
    return float(np.mean([cv2.absdiff(image, cv2.medianBlur(image, 3)) > SPECK for image in images]))


def learn(face: LitFace, key: str, chosen: dict[str, float], seed: int, passes: int) -> Fitted:
    """Let a method learn so many copies of the pictures; what it makes of one of them is judged."""
    V = face.faces.V
    if key not in BATCH:
        return fit(key, face.faces.layout, V, chosen, seed, passes)
    found = fit(key, face.faces.layout, np.tile(V, (passes, 1)), {**chosen, "frames": passes * len(V)}, seed)
    known = found.encoding
    n = len(V)
    capped = None if known.capped is None else known.capped[:n]
    first = Encoding(known.H[:n], known.background[:n], known.residual[:n], capped, known.loss, 1)
    return replace(found, encoding=first)


def mean_score(scores: list[Score]) -> Score:
    """Return the mean over starts."""
    return Score(*(float(np.mean(figures)) for figures in zip(*map(astuple, scores), strict=True)))


def claims(scores: dict[str, Score]) -> tuple[Claim, ...]:
    """Return what the paper says of figure 8 and table II, and whether it holds."""

    def figures(of: dict[str, float], keys: tuple[str, ...], digits: int, unit: str) -> str:
        return ", ".join(f"{key} {number(of[key], digits)}{unit}" for key in keys)

    def mean(of: dict[str, float], keys: tuple[str, ...]) -> float:
        return float(np.mean([of[key] for key in keys]))

    removed = {key: score.removed for key, score in scores.items()}
    disturbed = {key: score.disturbed for key, score in scores.items()}
    specks = {key: score.specks for key, score in scores.items()}
    seconds = {key: score.seconds for key, score in scores.items()}
    everyone = (*ONLINE, *BATCH, "orpca", "onmf")
    return (
        Claim(
            "The online methods remove shadows almost as well as their batch counterparts.",
            mean(removed, ONLINE) >= mean(removed, BATCH) - 5,
            f"{figures(removed, (*ONLINE, *BATCH), 1, ' %')} of the error in shadow gone",
        ),
        Claim(
            "ORPCA leaves more artifacts, such as salt noise, than the other online methods do.",
            specks["orpca"] > max(specks[key] for key in ONLINE),
            f"{figures(specks, (*ONLINE, 'orpca'), 2, ' %')} of the pixels are specks that were not there",
        ),
        Claim(
            "ONMF fails to remove the shadow or distorts the pictures.",
            removed["onmf"] < mean(removed, ONLINE) or disturbed["onmf"] > mean(disturbed, ONLINE),
            f"{figures(removed, (*ONLINE, 'onmf'), 1, ' %')} gone; "
            f"{figures(disturbed, (*ONLINE, 'onmf'), 1, '')} grey levels of change in the light",
        ),
        Claim(
            "The online methods take a little longer than ORPCA, and much less than ONMF and the batch methods.",
            max(seconds[key] for key in ONLINE) < min(seconds[key] for key in (*BATCH, "onmf")),
            figures(seconds, everyone, 1, " s"),
        ),
    )


def contact_sheet(
    face: LitFace, scored: NDArray[np.bool_], pictures: dict[str, NDArray[np.float32]]
) -> NDArray[np.uint8]:
    """Return one row a picture: input, what it would show without shadow, then recovered and shadow of each method.

    Of those that are scored, (n,); ``pictures`` are (n, F) of each method.
    """
    places = np.flatnonzero(scored)
    by_shadow = places[np.argsort(-face.shadow[places].sum(axis=1), kind="stable")]
    chosen = by_shadow[:: max(1, len(by_shadow) // EXAMPLES)][:EXAMPLES]
    columns = [("input", face.faces.V), ("without shadow", face.ideal)]
    for key, background in pictures.items():
        columns += [(key, background), ("taken off", background - face.faces.V)]
    height, width = face.faces.layout.height, face.faces.layout.width
    zoom = -(-TILE // width)
    tile_h, tile_w = height * zoom, width * zoom
    sheet = np.full(
        (CAPTION + len(chosen) * (tile_h + GAP), len(columns) * (tile_w + GAP)), 255, np.uint8
    )  # fmt: skip
    for column, (caption, images) in enumerate(columns):
        left = column * (tile_w + GAP)
        cv2.putText(sheet, caption, (left, CAPTION - 5), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (40,), 1, cv2.LINE_AA)
        for row, place in enumerate(chosen):
            top = CAPTION + row * (tile_h + GAP)
            picture = np.rint(255 * np.clip(images[place], 0, 1)).astype(np.uint8).reshape(height, width)
            sheet[top : top + tile_h, left : left + tile_w] = cv2.resize(
                picture, (tile_w, tile_h), interpolation=cv2.INTER_NEAREST
            )
    return sheet


def _table(rank: int, scores: dict[str, Score]) -> Table:
    rows = tuple(
        (key, number(s.removed, 1), number(s.disturbed, 1), number(s.specks, 2), number(s.seconds, 2))
        for key, s in scores.items()
    )
    whose = {RANKS[0]: " (the paper's)", RANKS[1]: " (what a matt face needs)"}.get(rank, "")
    return Table(
        f"Rank {rank}{whose}: error in shadow that is gone, change where there is light, time to learn.",
        ("method", "shadow gone\n%", "change in light\ngrey levels", "new specks\n%", "time\ns"), rows,
    )  # fmt: skip


def _note(face: LitFace, n_scored: int) -> str:
    how = (
        "It is known, as the pictures were drawn." if face.known
        else "It is estimated from all pictures by Lambert's law, the file names telling the lights."
    )  # fmt: skip
    return (
        f"Scored by what {n_scored} pictures would show without cast shadow. {how} The paper shows pictures and no"
        " score; the figures of its table II are images in the text at hand, so its times are given as an order only."
    )


def _reasons(all_copies: dict[str, Score], beside: dict[tuple[str, str], Score]) -> tuple[str, str]:
    """Return where specks come from, and what it takes to be rid of them."""

    def figures(values: dict[str, float], digits: int, unit: str) -> str:
        return ", ".join(f"{key} {number(value, digits)}{unit}" for key, value in values.items())

    first = {key: beside[key, ONE_COPY].specks for key in (*ONLINE, "orpca")}
    then = {key: all_copies[key].specks for key in first}
    specks, removed, seconds = (
        {key: float(getattr(beside[key, ROUNDS], what)) for key in ONLINE} for what in ("specks", "removed", "seconds")
    )
    return (
        "Specks are where a method has not yet left its random start, which λ holds back: after one copy of the "
        f"pictures {figures(first, 2, ' %')}, after all of them {figures(then, 2, ' %')}. ORPCA, whose signs are free "
        "and whose dictionary has no bound, leaves the start sooner.",
        f"The catalogue learns from each mini-batch of an image set {IMAGE_SET_ROUNDS} times, and the paper once, as "
        f"here. With {IMAGE_SET_ROUNDS} rounds the specks are {figures(specks, 2, ' %')}, "
        f"{figures(removed, 1, ' %')} of the error in shadow are gone, and learning takes {figures(seconds, 1, ' s')}.",
    )
