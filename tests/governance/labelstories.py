"""Small stores for the stories of labels: a chain of three tables, fed by two sources."""

from __future__ import annotations

from pathlib import Path

from lineage_tt import Store
from lineage_tt.curation.statements import Author, annotate
from lineage_tt.events import Event
from lineage_tt.governance.config import Config
from lineage_tt.governance.governance import Governance
from lineage_tt.testing import ManualClock, task_change

DAYS = [f"2026-0{month}-01T00:00:00Z" for month in range(1, 8)]
USERS, CLIENTS, PEOPLE, BOARD = "db:users#mail", "db:clients#mail", "db:people#mail", "bi:board#contact"
ANA = Author("ana", "asked legal")


def chain(folder: Path) -> Store:
    """Users and clients both feed people (one task each), people the board."""
    store = Store.create(folder / "s", clock=ManualClock(DAYS[6]))
    store.append([
        task_change("users", "online", DAYS[0], [(USERS, PEOPLE)]),
        task_change("clients", "online", DAYS[0], [(CLIENTS, PEOPLE)]),
        task_change("board", "online", DAYS[0], [(PEOPLE, BOARD)]),
    ])  # fmt: skip
    return store


def state(store: Store, node: str, fact: tuple[str, list[str]], at: str, expires: str | None = None) -> int:
    """Ana states a fact of a node from a time on."""
    return annotate(store, node, *fact, by=ANA, at=at, expires=expires)


def label(store: Store, node: str, *labels: str, at: str = DAYS[0]) -> int:
    """Ana states labels of a node."""
    return state(store, node, ("label", list(labels)), at)


def of(store: Store, node: str, at: str = DAYS[6], rules: str = "", version: int | None = None) -> tuple[str, ...]:
    """The labels of a node at a time."""
    governance = governed(store, rules)
    return governance.labelled(governance.basis(at, version=version)).of(node)


def governed(store: Store, rules: str = "") -> Governance:
    """The questions of governance about a store."""
    return store.governance(Config.parse(rules))


def made(store: Store, rules: str = "") -> list[Event]:
    """The events of a store's whole feed."""
    feed = governed(store, rules).label_feed(store.id)
    return [event for entry in store.changes() if (event := feed.event(entry)) is not None]


def told(event: Event) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    """The changes of an event: node, valid time, gained, lost."""
    return [(c["node"], c["valid_at"], tuple(c["gained"]), tuple(c["lost"])) for c in event["data"]["changes"]]
