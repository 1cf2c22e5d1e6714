"""Numbers that several rules of masks, light and painting share: each is chosen once, and measured for all of them.

F is that of the labelled sequences in `docs/head.md`, a frame at a time, in one pass.
"""

from __future__ import annotations

import numpy as np

SETTLED_FRAMES = 10
"""Frames in a row after which what is seen is no accident.

After so many what stands still is judged, what was painted as background is taken for it, and painted foreground that
is neither seen nor in the mask has left; as many of the stillest samples are kept. With 8 for what stands still, `fall`
loses 0.010 of F, and with 12 it gains 0.001; no other changes by 0.002. The inside of a small thing that passes looks
the same for up to 9. Other light is followed once it has stayed for so long: where two frames were enough, two drawn
clips with flashes had an F of 0.59 and 0.79 instead of 0.96 and 0.95.
"""

MEMORY = 50
"""Frames over which noise, unrest and cover are measured, and what share of a frame is usually covered.

With 25, `highway1` and `cavignal` lose 0.003 of F; with 75, `foliage` loses 0.006.
"""

NOISE = np.float32(5)
"""Noise scale before any is measured, grey levels.

The head counts none as more when it asks whether a cell differs: who hides the scene most of the time passes for noise.
With 2.5, `foliage` gains 0.034 of F, `ibmtest2` loses 0.005 and `highway1` 0.003; with 7.5, `foliage` loses 0.040.
"""

DIFFERS = np.float32(5)
"""A cell differs where the root of its mean square exceeds so many noise scales.

The head looks around such cells, and what stands still is followed there. Where the head looks from 3.5 on, `ibmtest2`
loses 0.008 of F, and from 7 on `foliage` 0.040. Where what is still is followed only in what the head calls foreground,
`highway1` with switched light loses 0.03. What was painted is known again in noise of as many scales: with 3 of them, a
stroke over the largest mistake of a frame raised F of the later frames of six drawn clips by 0.18 on average, and by
0.21 with 5. A pixel that departs by as many from the background is drawn to the foreground by half: with 4 there, no
sequence changes by over 0.0006 of F.
"""

LIKENESS = 8 / 255
"""What differs by less looks the same, units of the contrast.

It is asked of what stands still, of what was painted, of the background in the light of a frame, of the colours
either side of an edge, and of what changes or sways. With 12, `caviar2` loses 0.008 of F and `foliage` 0.003; with 5
for what stands still, `highway1` with switched light loses 0.03.
"""

BLOCKS = 16
"""Blocks from top to bottom in which light is measured, as many of the same size as fit from left to right.

The soft edge of a matte reaches no farther than one: less than is asked of it in pictures of fewer than 64 rows.

With 8, `caviar2` under a lamp that lights one side loses 0.001 of F; with 4, a lamp is not found in frames of 96 rows.
"""

FEW = 0.25
"""A smaller share than this does not count.

All but so much of a region stands still. Where less of a frame is seen, cleaned frames keep the light of the plate the
more: what is seen may be what masks have missed. With 0.125 there, 1.6 % of the pixels of what passes are left in
`foliage`, with none 8.1 and with 0.5 0.8, instead of 1.0; `highway1` keeps its 0.39. Light is asked for where so much
of what is usually in sight is newly covered, and explains all of that but so much. `highway1`, half as bright for every
other 150 frames, has an F of 0.87 with it, and of 0.76 where 0.15 of the frame were asked for. With 0.5 for what stands
still, `foliage` loses 0.004.
"""

SURE = np.float32(1.5)
"""Logit from which on a cell is surely what it is said to be: a probability of 82 %.

Around what was found, what is not surely the scene is replaced in cleaned frames: where only what is more probably
foreground or shadow than not was, 2.6 % of the pixels of what passes were left in `foliage`, and where it had to be
surely one of them 4.0, instead of 0.8; with 3, 0.7. What surely hides the scene is not learnt from, painting teaches
nothing of what is right and sure already, and a hole that is nearer to the foreground than that is filled: 94 % of the
pixels of the holes that were left in `foliage` and `fall`, with a mean logit from -1.5 to 0, are foreground. With 2 and
with 0 where the scene is learnt, `foliage` and `ibmtest2` change by 0.002 of F at most.
"""
