"""Requirements of tests that a machine may lack: such a test is skipped, or fails if CI=true."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def lacking(reason: str) -> NoReturn:
    """Skip the test, or fail it if CI=true, because a requirement is missing."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"CI=true, but {reason}")
    pytest.skip(reason)
