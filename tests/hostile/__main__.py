"""``make hostile``: all cases of every attack, and the table of what came of them."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.hostile.batch import compile_kernels
from tests.hostile.registry import ATTACKS


def main(keys: list[str]) -> int:
    """Run the attacks with these keys, or all; returns 1 where a case failed."""
    console = Console()
    if unknown := set(keys) - {attack.key for attack in ATTACKS}:
        console.print(f"There is no attack {', '.join(sorted(unknown))}: {', '.join(a.key for a in ATTACKS)}.")
        return 2
    table = Table("attack", "cases", "faults", "must be", "seconds")
    faults = 0
    compile_kernels()
    for attack in ATTACKS:
        if keys and attack.key not in keys:
            continue
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
            outcomes = list(attack.run(attack.n_all, Path(folder)))
        wrong = [outcome for outcome in outcomes if outcome.fault]
        faults += len(wrong)
        for outcome in wrong[:20]:
            console.print(f"{attack.key}: {outcome.case}: {outcome.fault}", markup=False)
        spent = time.perf_counter() - started
        table.add_row(attack.title, str(len(outcomes)), str(len(wrong)), attack.must, f"{spent:.0f}")
    console.print(table)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
