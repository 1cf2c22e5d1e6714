"""Links the regions of successive frames into tracks.

Each frame: a track says where it should be; regions are given to tracks by the assignment with the largest sum of
intersections over union (Hungarian method; Bewley et al., "Simple online and realtime tracking", 2016, with a constant
velocity in place of the Kalman filter). What that leaves:

* a region that completes a track in pieces belongs to that track,
* a track that lies in a region given to another one shares it: each pixel goes to the track that it is nearest to,
* a region that lies near a track that was seen once is that track, faster than its own size a frame,
* any other region begins a track, and any other track is missed for a few frames, then ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.events.event import Event, SeenEvent
from core.events.pairs import LEAST, Pairs, assigned, best_of, overlaps, pairs_of
from core.events.regions import Box, Regions, areas_of
from core.events.rules import Rules
from core.events.track import Track

PATIENCE = 12
"""Frames for which something may be missed: half a second of video, longer than masks flicker."""

BRIEF = 5
"""Frames for which something may be seen in pieces: pieces that stay apart for longer are things of their own."""


class Tracker:
    """Follows what moves. Call `update` with each frame in turn, `finish` after the last.

    Parameters
    ----------
    rules : Rules
        What counts as an event.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._tracks: list[Track] = []
        self._n_events = self._scene_first = 0

    def update(
        self, index: int, time_s: float, regions: Regions, scene_first: int = 0
    ) -> tuple[list[SeenEvent], list[Event]]:
        """Take the regions of a frame.

        Parameters
        ----------
        index : int
            Number of the frame, from 0.
        time_s : float
        regions : Regions
        scene_first : int
            First frame of the scene that it shows, which may be known some frames late. Nothing goes on from one scene
            into another, and what was seen since was held against the background of the scene before: it is no event.

        Returns
        -------
        seen : list of SeenEvent
            What counts by now and is seen in this frame.
        ended : list of Event
            What has ended for good.
        """
        before = self._end_before(scene_first) if scene_first != self._scene_first else []
        self._scene_first = scene_first
        share = _share(self._tracks, regions)
        for track, box, n_pieces, merged in share.sightings:
            track.see(index, time_s, box, n_pieces=n_pieces, merged=merged)
        for track in share.missed:
            track.miss()
        self._tracks += [Track(index, time_s, regions.box([region])) for region in share.new]
        ended = self._end([track for track in self._tracks if _is_over(track)])
        return self._count(), before + ended

    def finish(self) -> list[Event]:
        """Return the events that had not ended yet."""
        return self._end(list(self._tracks))

    def _count(self) -> list[SeenEvent]:
        """Give numbers to tracks that come to count, and return those that do and are seen."""
        seen = []
        for track in self._tracks:
            if track.missed:
                continue
            track.n_counted += self._rules.count(track.last)
            if not track.number and track.n_counted >= self._rules.shortest:
                self._n_events += 1
                track.number = self._n_events
            if track.number:
                seen.append(SeenEvent(track.number, track.last))
        return seen

    def _end_before(self, first: int) -> list[Event]:
        """End all tracks with what was seen of them before a frame; return those that are events without the rest."""
        events = [event.before(first) for event in self.finish()]
        return [event for event in events if self._rules.are_met(event)]

    def _end(self, over: list[Track]) -> list[Event]:
        ended = set(over)
        self._tracks = [track for track in self._tracks if track not in ended]
        return [track.event() for track in over if track.number]


@dataclass(frozen=True)
class _Share:
    """Which track gets what of a frame.

    Attributes
    ----------
    sightings : list of (track, box, number of pieces, whether it shares its region with others)
    missed : list of Track
    new : list of int
        Regions that begin a track.
    """

    sightings: list[tuple[Track, Box, int, bool]]
    missed: list[Track]
    new: list[int]


def _share(tracks: list[Track], regions: Regions) -> _Share:
    predicted = np.array([track.predicted for track in tracks]).reshape(-1, 4)
    pairs = pairs_of(predicted, regions.corners)
    given = assigned(pairs.rows, pairs.columns, overlaps(pairs, predicted, regions.corners))
    _take_near(tracks, predicted, regions, given)
    pieces, new = _share_pieces(tracks, predicted, regions, given, pairs)
    guests = _guests(tracks, predicted, given, pairs)
    sightings = []
    for i, region in given.items():
        members = [region, *pieces.get(i, [])]
        among = [i, *guests.get(region, [])]
        if len(among) == 1:
            sightings.append((tracks[i], regions.box(members), len(members), False))
            continue
        parts = regions.split(region, predicted[among])
        sightings += [(tracks[k], part, 1, True) for k, part in zip(among, parts, strict=True) if part is not None]
    seen = {track for track, *_ in sightings}
    return _Share(sightings, [track for track in tracks if track not in seen], new)


def _take_near(tracks: list[Track], predicted: NDArray[np.float64], regions: Regions, given: dict[int, int]) -> None:
    """Give what was seen once the region that lies nearest, at most its own size away: it has no velocity yet."""
    young = np.array([i for i, track in enumerate(tracks) if i not in given and track.n_seen == 1], np.int64)
    free = np.array(sorted(set(range(len(regions))) - set(given.values())), np.int64)
    at = (predicted[young, :2] + predicted[young, 2:]) / 2
    to = (regions.corners[free, :2] + regions.corners[free, 2:]) / 2
    reach = np.linalg.norm(predicted[young, 2:] - predicted[young, :2], axis=1)
    around = np.concatenate([at - reach[:, None], at + reach[:, None]], axis=1)
    near = pairs_of(around, np.concatenate([to - 0.5, to + 0.5], axis=1))
    apart = np.linalg.norm(at[near.rows] - to[near.columns], axis=1)
    for i, j in assigned(near.rows, near.columns, reach[near.rows] - apart).items():
        given[int(young[i])] = int(free[j])


def _share_pieces(
    tracks: list[Track], predicted: NDArray[np.float64], regions: Regions, given: dict[int, int], pairs: Pairs
) -> tuple[dict[int, list[int]], list[int]]:
    """Return which further regions belong to tracks, and which regions are new.

    A piece lies mostly where a track should be, and with it the track is more like what it should be than without.
    """
    pieces: dict[int, list[int]] = {}
    is_free = np.ones(len(regions), np.bool_)
    is_free[list(given.values())] = False
    is_whole = np.zeros(len(tracks), np.bool_)
    is_whole[[i for i in given if tracks[i].broken < BRIEF]] = True
    mostly = pairs.shared >= 0.5 * areas_of(regions.corners)[pairs.columns]
    parts = pairs.among(is_free[pairs.columns] & is_whole[pairs.rows] & mostly)
    for pair in best_of(parts.columns, parts.shared):
        i, region = int(parts.rows[pair]), int(parts.columns[pair])
        now = [given[i], *pieces.get(i, [])]
        without, with_it = (_likeness(regions.box(members), predicted[i]) for members in (now, [*now, region]))
        if with_it > without:
            pieces.setdefault(i, []).append(region)
            is_free[region] = False
    return pieces, np.flatnonzero(is_free).tolist()


def _likeness(box: Box, where: NDArray[np.float64]) -> float:
    """Return intersection over union of a box and another (4,)."""
    low = np.maximum((box.x, box.y), where[:2])
    high = np.minimum((box.x + box.width, box.y + box.height), where[2:])
    shared = np.maximum(high - low, 0).prod()
    return float(shared / max(box.width * box.height + (where[2:] - where[:2]).prod() - shared, LEAST))


def _guests(
    tracks: list[Track], predicted: NDArray[np.float64], given: dict[int, int], pairs: Pairs
) -> dict[int, list[int]]:
    """Return the tracks without a region of their own that lie mostly in that of another, by region.

    They do so for as long as they were regions by themselves; then they are taken for part of the other.
    """
    guests: dict[int, list[int]] = {}
    may = np.array([i not in given and track.merged < track.n_alone for i, track in enumerate(tracks)], np.bool_)
    inside = pairs.among(
        may[pairs.rows] & np.isin(pairs.columns, list(given.values()))
        & (pairs.shared > 0.5 * areas_of(predicted)[pairs.rows])
    )  # fmt: skip
    for pair in best_of(inside.rows, inside.shared):
        guests.setdefault(int(inside.columns[pair]), []).append(int(inside.rows[pair]))
    return guests


def _is_over(track: Track) -> bool:
    """Tell whether a track has ended: what was hardly seen is soon forgotten."""
    return track.missed > min(PATIENCE, track.n_seen)
