"""Listing the log's folder while writers add to it.

A file system may show a file that was added later and miss one that was added before it, to whoever lists the folder
meanwhile. deltalake then finds a gap between commits, and fails.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

from deltalake.exceptions import DeltaError

#: How often the folder is listed, and how many seconds pass before the second time; each pause is twice the last one.
MAX_LISTINGS: Final = 6
PAUSE: Final = 0.002

Answer = TypeVar("Answer")


def listed(read: Callable[[], Answer]) -> Answer:
    """Return what ``read`` makes of the folder's files; list it again where deltalake fails on them.

    Raises DeltaError where it fails every time, as it does on a log that lacks a commit.
    """
    for again in range(MAX_LISTINGS - 1):
        try:
            return read()
        except DeltaError:
            time.sleep(PAUSE * 2**again)
    return read()
