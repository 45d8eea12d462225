"""What a worker and its parent send each other."""

from __future__ import annotations

import pickle

import pytest

from ingest.workers.protocol import LENGTH, Setup, framed


def test_a_message_follows_its_length() -> None:
    """So that a reader knows when it has it whole."""
    data = framed(("done", 7))
    (length,) = LENGTH.unpack(data[: LENGTH.size])

    assert length == len(data) - LENGTH.size
    assert pickle.loads(data[LENGTH.size :]) == ("done", 7)


@pytest.mark.parametrize(
    ("characters", "factor", "seconds"), [(0, 1.0, 5.0), (1 << 20, 1.0, 10.0), (3 << 20, 1.0, 20.0), (0, 2.0, 10.0)]
)
def test_a_long_text_may_take_longer(characters: int, factor: float, seconds: float) -> None:
    """As many seconds again for each MiB."""
    assert Setup("f", (), 5.0, None).seconds(characters, factor) == seconds
