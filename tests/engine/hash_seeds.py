"""The output of a script in processes with different hashes of strings."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def outputs_of(code: str) -> set[str]:
    """Return the distinct outputs of code with two hash seeds, to find dependence on set order."""
    return {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
