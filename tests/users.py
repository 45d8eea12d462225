"""Acts as a user whom permissions bind, since tests may run as root."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def someone_else() -> Iterator[None]:
    """Act as a user whom permissions bind, where the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def closed_folder(name: str, content: str = "", mode: int = 0) -> Iterator[Path]:
    """Act as such a user, and yield a folder with a file, and with a folder ``closed`` of this mode that has it."""
    with someone_else():
        top = Path(tempfile.mkdtemp(dir="/tmp"))  # pytest's own folder belongs to the user who runs it
        closed = top / "closed"
        closed.mkdir()
        for folder in (top, closed):
            (folder / name).write_text(content)
        closed.chmod(mode)
        try:
            yield top
        finally:
            closed.chmod(0o700)
            shutil.rmtree(top)
