"""The one place that imports numba: compiled functions, kept on disk from one process to the next.

The machine code lies in ``$LINEAGE_TT_CACHE`` (else ``$XDG_CACHE_HOME/lineage-tt``, else ``~/.cache/lineage-tt``), in a
folder named after the bytes of this package's sources: numba itself looks only at the file of the function called, and
would run the old code of a function that this one calls from another file.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from lineage_tt.errors import UnavailableError

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Return the function compiled; it runs without the interpreter lock, and raises nothing of its own."""
    numba = _numba()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = before or _folder()  # read where the function is made, and put back: others use numba too
    try:
        compiled: F = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled


def _numba() -> Any:
    try:
        import numba
    except ImportError:
        raise UnavailableError(
            "the temporal graph needs numba, which is not installed", hint="pip install 'lineage-tt[graph]'"
        ) from None
    return numba


@cache
def _folder() -> str:
    given = os.environ.get("LINEAGE_TT_CACHE")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lineage-tt"
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return str((Path(given) if given else home) / "numba" / digest.hexdigest()[:16])
