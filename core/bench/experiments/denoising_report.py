"""What the experiment on salt and pepper showed, beside table I of Zhao & Tan (2017)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.bench.experiments.base import Claim, Result, Table, number, spread

LEVELS = 3
CLOSE_DB, WORSE_DB, SHARE_OF_TIME = 0.3, 3.0, 0.5
"""Online within so much of batch; ONMF so much below OPGD; online in less than this part of the time of batch."""


@dataclass(frozen=True)
class Method:
    """A row of the catalogue, and what the paper's table says of it: dB and seconds at each level."""

    name: str
    key: str
    psnr: tuple[float, ...]
    seconds: tuple[float, ...]


OADMM = Method("OADMM", "oadmm", (11.37, 11.35, 11.33), (416.68, 422.35, 425.83))
OPGD = Method("OPGD", "opgd", (11.48, 11.47, 11.39), (435.32, 449.25, 458.58))
BADMM = Method("BADMM", "badmm", (11.53, 11.51, 11.48), (1000.45, 1190.55, 1245.39))
BPGD = Method("BPGD", "bpgd", (11.56, 11.52, 11.48), (1134.89, 1185.84, 1275.48))
ONMF = Method("ONMF", "onmf", (5.99, 5.97, 5.95), (2385.93, 2589.38, 2695.47))
ORPCA = Method("ORPCA", "orpca", (11.25, 11.24, 11.23), (368.35, 389.59, 399.85))
METHODS = (OADMM, OPGD, BADMM, BPGD, ONMF, ORPCA)
PAIRS = ((OPGD, BPGD), (OADMM, BADMM))


@dataclass(frozen=True)
class Outcome:
    """What one method made of one spoiled set: PSNR in dB over seconds of learning, to the end."""

    trace: tuple[tuple[float, float], ...]

    @property
    def psnr(self) -> float:
        """At the end."""
        return self.trace[-1][1]

    @property
    def seconds(self) -> float:
        """Of all of the learning."""
        return self.trace[-1][0]

    def until(self, psnr: float) -> float:
        """Return the seconds until it was as good as ``psnr``; infinite where it never was."""
        return next((seconds for seconds, reached in self.trace if reached >= psnr), float("inf"))


Outcomes = Mapping[tuple[str, int], list[Outcome]]
"""By name and level; one of each repetition."""


@dataclass(frozen=True)
class Setting:
    """What was run: data and parameters in words, the noise levels, and whether the paper can be judged by them."""

    data: str
    noise: tuple[tuple[float, float], ...]
    parameters: str
    seed: int
    repeats: int
    judged: bool


def report(setting: Setting, found: Outcomes) -> Result:
    """Return the result: ours beside the paper's table, and which of its claims hold."""
    headings = ("Method", *(f"level {i + 1}\n{who}" for i in range(LEVELS) for who in ("here", "paper")))
    levels = range(LEVELS)
    quality = tuple(
        (m.name, *(cell for i in levels for cell in (spread(o.psnr for o in found[m.name, i]), number(m.psnr[i]))))
        for m in METHODS
    )
    durations = tuple(
        (
            m.name,
            *(c for i in levels for c in (spread((o.seconds for o in found[m.name, i]), 1), number(m.seconds[i], 0))),
        )
        for m in METHODS
    )
    described = ", ".join(
        f"{share:.0%} of the images and {density:.0%} of their pixels" for share, density in setting.noise
    )
    return Result(
        title="Salt and pepper on small faces",
        paper="Zhao & Tan (2017), table I",
        data=f"{setting.data}, each scaled to maximum 1; salt and pepper on {described}.",
        setting=f"{setting.parameters}, ORPCA with its own 1/√F; mean of {setting.repeats} repetitions, seconds of one "
        "core.",
        tables=(Table("PSNR, dB", headings, quality), Table("Seconds of learning", headings, durations)),
        claims=tuple(
            claim if setting.judged else replace(claim, holds=None, ours=f"{claim.ours}, on drawn faces")
            for claim in (*_online_claims(found), *_onmf_claims(found), _orpca_claim(found))
        ),
        figures={
            "noise": [list(level) for level in setting.noise], "seed": setting.seed, "repetitions": setting.repeats,
            "methods": {
                m.name: {
                    "psnr": [[o.psnr for o in found[m.name, i]] for i in levels],
                    "seconds": [[o.seconds for o in found[m.name, i]] for i in levels],
                } for m in METHODS
            },
            "seconds_of_batch_to_the_same": {
                batch.name: [_until(found, online, batch, i) for i in levels] for online, batch in PAIRS
            },
        },
        notes=(
            "The paper's PSNR averages over the learning run and our copy of it lacks its three noise levels: compare "
            "orderings and gaps.",
        ),
    )  # fmt: skip


def _mean(found: Outcomes, method: Method, level: int) -> float:
    return float(np.mean([o.psnr for o in found[method.name, level]]))


def _seconds(found: Outcomes, method: Method, level: int) -> float:
    return float(np.mean([o.seconds for o in found[method.name, level]]))


def _until(found: Outcomes, online: Method, batch: Method, level: int) -> float | None:
    """Return the mean seconds until a batch method was as good as an online one in the end; None: it never was."""
    pairs = zip(found[online.name, level], found[batch.name, level], strict=True)
    seconds = float(np.mean([b.until(a.psnr) for a, b in pairs]))
    return seconds if np.isfinite(seconds) else None


def _online_claims(found: Outcomes) -> tuple[Claim, ...]:
    claims = []
    for online, batch in PAIRS:
        gaps = [_mean(found, batch, i) - _mean(found, online, i) for i in range(LEVELS)]
        theirs = ", ".join(number(b - a) for a, b in zip(online.psnr, batch.psnr, strict=True))
        claims.append(
            Claim(
                f"{online.name} comes within {CLOSE_DB} dB of {batch.name} (the paper: {theirs} below).",
                max(gaps) <= CLOSE_DB, ", ".join(f"{gap:.2f}" for gap in gaps) + " dB below",
            )
        )  # fmt: skip
    for online, batch in PAIRS:
        ours = [_seconds(found, online, i) for i in range(LEVELS)]
        theirs_s = [_until(found, online, batch, i) for i in range(LEVELS)]
        holds = all(b is None or a < SHARE_OF_TIME * b for a, b in zip(ours, theirs_s, strict=True))
        told = (
            f"{a:.1f} s against " + ("never" if b is None else f"{b:.1f} s")
            for a, b in zip(ours, theirs_s, strict=True)
        )
        claims.append(
            Claim(
                f"{online.name} takes less than half of {batch.name}'s time to the same PSNR.", holds, ", ".join(told)
            )
        )
    return tuple(claims)


def _onmf_claims(found: Outcomes) -> tuple[Claim, ...]:
    """Return a claim for each level: they differ."""
    claims = []
    for i in range(LEVELS):
        gap, theirs = _mean(found, OPGD, i) - _mean(found, ONMF, i), OPGD.psnr[i] - ONMF.psnr[i]
        text = f"At level {i + 1} ONMF is at least {WORSE_DB:g} dB worse than OPGD (the paper: {theirs:.2f})."
        claims.append(Claim(text, gap >= WORSE_DB, f"{gap:.2f} dB worse"))
    return tuple(claims)


def _orpca_claim(found: Outcomes) -> Claim:
    ours = [_mean(found, OPGD, i) - _mean(found, ORPCA, i) for i in range(LEVELS)]
    return Claim(
        "OPGD is slightly better than ORPCA (the paper: 0.16 to 0.23 dB).",
        min(ours) >= 0, "OPGD " + ", ".join(f"{abs(gap):.2f} dB {'better' if gap >= 0 else 'worse'}" for gap in ours),
    )  # fmt: skip
