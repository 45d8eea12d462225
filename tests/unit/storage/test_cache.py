"""The cache of objects in use by many at once: what one reader took in, another may drop, and it is still read."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lineage_tt.storage.cache import Cache
from lineage_tt.storage.objects import ObjectPath, open_place


@pytest.mark.long
def test_what_another_drops_at_once_is_read_all_the_same(tmp_path: Path) -> None:
    """Eight readers fill a cache that keeps nothing: a file dropped as soon as it was kept failed its reader."""
    cache = Cache(tmp_path / "cache", 1)

    def put(number: int) -> tuple[int, bytes]:
        data = b"%d" % number
        place = open_place(f"bucket/{number}")
        assert isinstance(place, ObjectPath)
        return number, cache.put(place, data, hashlib.sha256(data).hexdigest()).read_bytes()

    with ThreadPoolExecutor(8) as pool:
        read = list(pool.map(put, range(600)))

    assert read == [(number, b"%d" % number) for number in range(600)]
    assert len(list((tmp_path / "cache" / "files").glob("*/*"))) <= 8
    cache.close()
    assert list((tmp_path / "cache" / "pins").iterdir()) == []
