"""Handling of Ctrl-C: the command ends at once and prints nothing.

DuckDB checks for signals rarely: a long scan may not check for minutes. Therefore a separate thread waits for the
signal and ends the process. A writing command first gets a grace period to stop between two steps. If it does not, the
thread ends it anyway. This loses nothing, because the next run reads again what was not acknowledged.
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
    """Install the handler of Ctrl-C. Only the process of a command does this, not a program that calls ``run``."""
    _State.installed = True
    signal.signal(signal.SIGINT, _note)


def _note(number: int, frame: FrameType | None) -> None:
    _State.seen = True
    raise KeyboardInterrupt


def seen() -> bool:
    """Return whether Ctrl-C was pressed; libraries may raise other errors for it."""
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
