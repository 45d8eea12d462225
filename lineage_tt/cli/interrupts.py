"""Ctrl-C: the command ends at once and says nothing, whatever it is doing.

DuckDB looks for signals now and then only, and a long scan may not look for minutes. So a reading command is ended by a
thread that waits for the signal. A writing command is not: it stops between two steps, as Python's own handler lets it.
"""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType
from typing import Final

INTERRUPTED: Final = 130


class _State:
    installed = False
    seen = False
    waiting = False


def install() -> None:
    """Note Ctrl-C from now on; for the process of the command itself, not for programs that call it as a function."""
    _State.installed = True
    signal.signal(signal.SIGINT, _note)


def _note(number: int, frame: FrameType | None) -> None:
    _State.seen = True
    raise KeyboardInterrupt


def seen() -> bool:
    """Say whether Ctrl-C was pressed: libraries turn it into errors of their own."""
    return _State.seen


def end_at_once() -> None:
    """End this process at Ctrl-C even while a library is busy; only for commands that do not write."""
    if not _State.installed or _State.waiting:
        return
    _State.waiting = True
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_end, args=(reading,), daemon=True).start()


def _end(reading: int) -> None:
    while signal.SIGINT not in os.read(reading, 64):
        pass
    os._exit(INTERRUPTED)
