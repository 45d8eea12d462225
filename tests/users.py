"""Acts as a user whom permissions bind, since tests may run as root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


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
