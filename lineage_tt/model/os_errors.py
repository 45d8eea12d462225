"""Turns the system's errors into the product's: a caller of the Python API catches only ``LineageError``."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from lineage_tt.model.errors import CorruptError, InvalidRequestError, LineageError, UnavailableError

#: The system's errors where a file of the store is missing, or is not a file.
_NOT_THERE: Final = frozenset({errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.EIO})
#: The system's errors where nothing is at a path, or a link leads nowhere.
_NO_FILE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
MEMORY_HINT: Final = "give the process more memory, or ask for less at a time: smaller batches, fewer versions"


@contextmanager
def system_errors(what: str) -> Iterator[None]:
    """Turn the system's errors into the product's; ``what`` completes "cannot …". Also usable as a decorator.

    A file of the store that is missing or is not a file becomes a CorruptError; everything else becomes an
    UnavailableError: permissions, limits, a full disk, lack of memory.
    """
    try:
        yield
    except LineageError:
        raise
    except MemoryError as error:
        raise out_of_memory(what) from error
    except OSError as error:
        raise of_system(what, error) from error


def out_of_memory(what: str) -> UnavailableError:
    """Return the error for lack of memory."""
    return UnavailableError(f"out of memory: cannot {what}", hint=MEMORY_HINT)


def of_system(what: str, error: OSError) -> LineageError:
    """Return the product's error for one of the system's."""
    words = error.strerror or " ".join(str(error).split()) or type(error).__name__
    name = f" ({error.filename})" if error.filename else ""
    if error.errno in _NOT_THERE:
        return CorruptError(f"cannot {what}: {words}{name}")
    if error.errno == errno.ENOMEM:
        return out_of_memory(what)
    return UnavailableError(
        f"cannot {what}: {words}{name}", hint="free space, raise the limit or fix the permissions, then try again"
    )


def unreadable(what: str, error: OSError) -> InvalidRequestError:
    """Return the error of a file or folder that the user named, or that is below one, and that cannot be read."""
    return InvalidRequestError(
        f"cannot read {what}: {error.strerror}", hint="make it readable, or give the files and folders that are"
    )


def files_below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder; none where it is not a folder.

    Linked folders are not followed, and what vanishes meanwhile is left out.

    Raises InvalidRequestError where the folder, or one below it, cannot be read: its files would be missing.
    """
    for top, _, names in os.walk(folder, onerror=_refuse_folder):
        yield from filter(is_readable_file, (Path(top, name) for name in names))


def is_readable_file(path: Path) -> bool:
    """Return whether a path is a file; InvalidRequestError where its folder can be listed and not entered.

    There ``Path.is_file`` raises up to Python 3.13, and returns False from 3.14 on.
    """
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError as error:
        if error.errno in _NO_FILE:
            return False
        raise unreadable(f"{path}", error) from None


def _refuse_folder(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise unreadable(f"folder {error.filename}", error) from None
