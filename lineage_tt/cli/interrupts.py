"""Ctrl-C: the command ends at once and prints nothing, at any point.

DuckDB looks for signals now and then only, and a long scan may not look for minutes. So a thread that waits for the
signal ends the command. A writing command is given a little time to stop between two steps first; if that is not enough
it is ended all the same, which loses nothing: what is not acknowledged is read again by the next run.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from types import FrameType
from typing import Final

INTERRUPTED: Final = 130
SHOW_CURSOR: Final = b"\x1b[?25h"


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
    """Return whether Ctrl-C was pressed: libraries turn it into errors of their own."""
    return _State.seen


def end_within(grace: float) -> None:
    """End this process at most ``grace`` seconds after Ctrl-C, even while a library is busy."""
    if not _State.installed or _State.waiting:
        return
    _State.waiting = True
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_end, args=(reading, grace), daemon=True).start()


def _end(reading: int, grace: float) -> None:
    while signal.SIGINT not in os.read(reading, 64):
        pass
    time.sleep(grace)
    if os.isatty(2):
        os.write(2, SHOW_CURSOR)  # the progress bar hides it
    os._exit(INTERRUPTED)
