"""The only module that imports numba: compiled functions, cached on disk from one process to the next.

The machine code is in ``$LINEAGE_TT_CACHE`` (else ``$XDG_CACHE_HOME/lineage-tt``, else ``~/.cache/lineage-tt``), in a
folder named after a digest of the source files with compiled functions: numba itself checks only the file of the called
function, and would run outdated code of a function that it calls in another file.
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
#: From this many nodes on, two halves of a question run in parallel: handing one over takes about 50 microseconds.
MANY_NODES: Final = 100_000


def jit(function: F) -> F:
    """Return the function compiled; it runs without the interpreter lock, creates no arrays and raises nothing.

    Since it creates no arrays, it needs no reference counts for its arguments: numba counts at every call between
    compiled functions, which made a walk ten times slower than the same in C (70 ns per node instead of 6).
    """
    return _compiled(function, cache=True, _nrt=False)


def jit_with_arrays(function: F) -> F:
    """Return the function compiled; it may create arrays."""
    return _compiled(function, cache=True)


def inlined(function: F) -> F:
    """Return a function that is inlined where it is called, for innermost loops with many arguments."""
    return _compiled(function, inline="always", _nrt=False)


def fetching() -> Callable[[Any, int], None]:
    """Return a function for compiled code: ``fetch(array, i)`` prefetches the i-th row of an array into the cache.

    It does not wait and reads nothing, so an index outside the array does no harm. Numba has no function for this; it
    is LLVM's ``llvm.prefetch`` (for reading, keep in cache, data), which a machine without prefetching ignores.
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
    """Return what two calls return; in a graph with many nodes they run in parallel.

    This pays off for compiled code, which runs without the interpreter lock. ``other`` runs in one thread that all
    callers share, or after the first call if that thread is busy. It must not query a store.
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
        wait([later])  # even if the first raised: the second writes to arrays of the caller
        idle.release()


@cache
def _second_thread() -> tuple[Lock, ThreadPoolExecutor]:
    return Lock(), ThreadPoolExecutor(1, "lineage-tt-second")


os.register_at_fork(after_in_child=_second_thread.cache_clear)  # a forked process has only one thread


def _compiled(function: F, **options: Any) -> F:
    numba = _numba()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = before or _folder()  # read when the function is made, then restored: others use numba too
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
