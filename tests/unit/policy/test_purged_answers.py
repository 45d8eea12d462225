"""Data files are removed while a release is assessed, and while a service follows the log."""

from __future__ import annotations

import json
from typing import Any

import pytest
from loops import complete
from policy_texts import place
from purges import append, tighten

from lineage_tt import Store
from lineage_tt.api.live.feed import Feed
from lineage_tt.api.live.follow import Follower
from lineage_tt.api.reads.frozen_log import FrozenLog
from lineage_tt.api.reads.reading import Reading
from lineage_tt.api.reads.tail import Tail
from lineage_tt.cli.app import run
from lineage_tt.impact import assess as assess_module
from lineage_tt.impact.base.from_store import StoreBase


def test_a_release_is_assessed_over_those_in_their_place(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the command and by the service: neither mixes what it read before with what it reads now."""
    reading, basis, found = Reading.of(store), store.basis(), list[int]()

    def ask() -> int:
        base = StoreBase(reading, basis)
        if not found:
            found.append(0)
            tighten(store)
        try:
            return len(base.edges_of(["plain"]))
        finally:
            base.close()

    assert reading.retried(ask) == len(StoreBase(Store.open(place(store)), basis).edges_of(["plain"]))

    real = assess_module.assess

    def assess(*args: Any) -> Any:
        monkeypatch.setattr(assess_module, "assess", real)
        tighten(store, "drop-text")
        return real(*args)

    monkeypatch.setattr(assess_module, "assess", assess)
    release = place(store).parent / "release.sql"
    release.write_text("INSERT INTO o SELECT a, b FROM t", "utf-8")
    words = ["--dialect", "hive", "--namespace", "n", "--default-database", "d", "--format", "json"]
    version = store.refresh()
    run(["--store", str(place(store)), "impact", str(release), *words])

    assert json.loads(capsys.readouterr().out)["basis"]["version"] == version
    assert store.refresh() > version


def test_a_service_loses_no_version_that_comes_as_files_go(store: Store) -> None:
    """The feed moves on to the files in the place of those that it reads, of a later version than the others know."""
    other, seen = Store.open(place(store)), list[tuple[int, int]]()

    class Purged(Feed):
        """A feed under which the files are taken away at its first read."""

        def advance(self, tail: Tail) -> None:
            seen.append((tail.after, tail.version))
            if len(seen) == 1:
                tighten(store)
                append(other, "late")
            super().advance(tail)

        def read_again(self, log: FrozenLog) -> None:
            seen.append((0, log.version))
            super().read_again(log)

    async def follow() -> Follower:
        follower = Follower(store, 1.0, [Purged("id")])
        append(other, "early")
        await follower.advance()
        return follower

    follower = complete(follow())

    assert follower.version == store.refresh()
    assert (seen[0][0], seen[1]) == (10, (0, follower.version))
