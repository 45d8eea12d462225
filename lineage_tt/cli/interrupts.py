"""Ctrl-C: the command ends at once and prints nothing, at any point.

DuckDB checks for signals only now and then, and a long scan may not check for minutes. So a thread that waits for the
signal ends the command. A writing command first gets a little time to stop between two steps; if that is not enough, it
is ended anyway, which loses nothing: the next run reads again what was not acknowledged.
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
    """Watch for Ctrl-C from now on; only for the command's own process, not for programs that call it as a function."""
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
