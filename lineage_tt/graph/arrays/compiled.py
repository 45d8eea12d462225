"""The one place that imports numba: compiled functions, kept on disk from one process to the next.

The machine code lies in ``$LINEAGE_TT_CACHE`` (else ``$XDG_CACHE_HOME/lineage-tt``, else ``~/.cache/lineage-tt``), in a
folder named after the bytes of the sources that hold compiled functions: numba itself looks only at the file of the
function called, and would run the old code of a function that this one calls from another file.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar, cast

from lineage_tt.model.errors import UnavailableError

A = TypeVar("A")
B = TypeVar("B")
F = TypeVar("F", bound=Callable[..., Any])
#: From this many nodes on, two halves of a question run in parallel: handing one over takes some 50 microseconds.
MANY_NODES: Final = 100_000


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


def fetching() -> Callable[[Any, int], None]:
    """Return a function for compiled code: ``fetch(array, i)`` has the i-th row of an array brought into the cache.

    It waits for nothing and reads nothing, so that a place outside of the array does no harm. Numba has no word for it:
    it is LLVM's ``llvm.prefetch`` (for reading, to be kept, data), which a machine without one leaves out.
    """
    _numba()
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def fetch(_context: Any, array: Any, place: Any) -> Any:
        def written(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            values = context.make_array(signature.args[0])(context, builder, arguments[0])
            word, address = ir.IntType(32), ir.IntType(8).as_pointer()
            stride = builder.extract_value(values.strides, 0)
            at = context.cast(builder, arguments[1], signature.args[1], types.int64)
            where = builder.gep(builder.bitcast(values.data, address), [builder.mul(at, stride)])
            kind = ir.FunctionType(ir.VoidType(), [address, word, word, word])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", (address,), kind)
            builder.call(prefetch, [where, word(0), word(3), word(1)])
            return context.get_dummy_value()

        return types.void(array, place), written

    return cast(Callable[[Any, int], None], intrinsic(fetch))


def both(one: Callable[[], A], other: Callable[[], B], nodes: int) -> tuple[A, B]:
    """Return what two calls return; in a graph of many nodes they run at the same time.

    That is worth it for compiled code, which runs without the interpreter lock. ``other`` runs in the one thread that
    all share, or after the first call where that thread is at work: it asks no store.
    """
    if nodes < MANY_NODES:
        return one(), other()
    idle, thread = _second_thread()
    if not idle.acquire(blocking=False):
        return one(), other()
    later = thread.submit(other)
    try:
        return one(), later.result()
    finally:
        wait([later])  # whatever the first one raised: the arrays that the second one writes are the caller's
        idle.release()


@cache
def _second_thread() -> tuple[Lock, ThreadPoolExecutor]:
    return Lock(), ThreadPoolExecutor(1, "lineage-tt-second")


os.register_at_fork(after_in_child=_second_thread.cache_clear)  # a forked process has no thread but its own


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
    override = os.environ.get("LINEAGE_TT_CACHE")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lineage-tt"
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        text = path.read_bytes()
        if b"arrays.compiled import" in text or path == Path(__file__):
            digest.update(text)
    return str((Path(override) if override else home) / "numba" / digest.hexdigest()[:16])
