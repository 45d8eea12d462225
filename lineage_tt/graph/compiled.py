"""The one place that imports numba: compiled functions, kept on disk from one process to the next.

The machine code lies in ``$LINEAGE_TT_CACHE`` (else ``$XDG_CACHE_HOME/lineage-tt``, else ``~/.cache/lineage-tt``), in a
folder named after the bytes of the sources that hold compiled functions: numba itself looks only at the file of the
function called, and would run the old code of a function that this one calls from another file.
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
    """Return the function compiled; it runs without the interpreter lock, makes no array and raises nothing.

    Without arrays of its own it needs no count of references to those it is given: numba counts at every call of one
    compiled function from another, which made a walk ten times slower than the same in C (70 ns a node, not 6).
    """
    return _compiled(function, cache=True, _nrt=False)


def jit_with_arrays(function: F) -> F:
    """Return the function compiled; it may make arrays."""
    return _compiled(function, cache=True)


def inlined(function: F) -> F:
    """Return a function that is compiled into the place where it is called: the innermost loop, many arguments."""
    return _compiled(function, inline="always", _nrt=False)


def _compiled(function: F, **options: Any) -> F:
    numba = _numba()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = before or _folder()  # read where the function is made, and put back: others use numba too
    try:
        compiled: F = numba.njit(nogil=True, error_model="numpy", **options)(function)
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
        text = path.read_bytes()
        if b"graph.compiled import" in text:
            digest.update(text)
    return str((Path(given) if given else home) / "numba" / digest.hexdigest()[:16])
