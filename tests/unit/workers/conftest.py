"""All tests of workers start real ones."""

from __future__ import annotations

from collections.abc import Iterator

import forked
import pytest


@pytest.fixture(scope="module", autouse=True)
def _started() -> Iterator[None]:
    """Start workers as the product does: none is forked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forked, "can_fork", lambda env: False)
        yield
