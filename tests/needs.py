"""What a test needs and this machine may lack: the test is skipped then, and fails where CI=true."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def lacking(reason: str) -> NoReturn:
    """Skip the test, or where CI=true fail it, since something is not there."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"CI=true, but {reason}")
    pytest.skip(reason)
