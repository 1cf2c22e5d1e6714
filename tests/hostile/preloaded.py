"""What the server of forks imports once: all of the program but the window; no thread may run before a fork."""

import app.cli.job
import app.cli.main
import app.cli.project
import app.cli.run
import core.io.sources.camera
import core.io.sources.images
import core.io.sources.stack
import core.io.sources.video

__all__ = ["app", "core"]

from numba.core.registry import cpu_target

cpu_target.target_context.refresh()  # Modules of numba that are loaded at first use: half of what a short run takes.
