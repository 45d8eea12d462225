"""A service's life: what fails while it loads, and how it becomes ready."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from loops import complete

from lineage_tt import Store
from lineage_tt.api import service as module
from lineage_tt.api.http.problems import Problem
from lineage_tt.api.reads.loading import load_graph
from lineage_tt.api.routes.governance.dependencies import governance_of
from lineage_tt.api.service import Service
from lineage_tt.api.settings import Settings
from lineage_tt.model.errors import UnavailableError
from lineage_tt.testing import task_change


def test_a_graph_that_could_not_be_loaded_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until then the service answers from the files, is not ready, and governance says why it does not answer."""
    store = Store.create(tmp_path / "s")
    store.append([task_change("t", "online", "2024-01-01T00:00:00Z", [("ns:a#x", "ns:b#x")])])
    load, away = load_graph, [True]

    def load_or_fail(own: Store) -> Any:
        if away:
            raise UnavailableError("the disk is away", hint="look at it")
        return load(own)

    monkeypatch.setattr(module, "load_graph", load_or_fail)
    monkeypatch.setattr(module, "_FIRST_ASKED", 0.0)
    monkeypatch.setattr(module, "_FIRST_ANSWERED", 0.0)
    monkeypatch.setattr(module, "_AGAIN", 0.05)

    async def life() -> tuple[list[str], dict[str, str]]:
        service = Service(store, Settings())
        await service.start()
        while service.loading:
            await asyncio.sleep(0.01)
        assert not service.ready
        said = [service.engine.name]
        with pytest.raises(Problem, match="could not be loaded: the disk is away"):
            governance_of(service, service.engine)
        away.clear()
        while service.follower.graph is None or service.failures:
            await asyncio.sleep(0.01)
        assert service.ready
        said.append(service.engine.name)
        await service.stop()
        return said, service.failures

    assert complete(life()) == (["files", "graph"], {})
