"""The stream with its schemas withheld: walks reach the tables that they reach with them, or say that they lack some.

Two stores read the same task changes, one of them the dataset schemas, too. At the end of the stream a walk goes
upstream from every column that has an upstream where the schemas are known. A walk that misses tables and calls itself
complete is *silent*; one that ends in an error (no such column) is not.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ingest.messages.mapping import load_mapping
from ingest.pipeline import Ingester
from lineage_tt.graph import GraphView
from lineage_tt.model.edges import dataset_of, is_star
from lineage_tt.model.errors import UnknownNodeError
from lineage_tt.store import Store
from verify_lib.stream import Stream

#: The end of the stream.
AT = int(datetime(2025, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000
#: The share of all columns that must reach the same tables.
LEAST_SAME = 0.99
MAX_SHOWN = 20


@dataclass(slots=True)
class Outcome:
    """How many columns reach the same tables, more or fewer; and those whose walks are silent about what is missing.

    ``other`` are columns that miss some tables and reach some more; ``unknown`` those that the store calls unknown.
    """

    counts: Counter[str] = field(default_factory=Counter)
    silent: list[str] = field(default_factory=list)

    @property
    def same(self) -> float:
        """The share of columns that reach the same tables."""
        return self.counts["same"] / max(self.counts.total(), 1)

    @property
    def holds(self) -> bool:
        """Whether enough are the same, and none is silent."""
        return self.counts.total() > 0 and self.same >= LEAST_SAME and not self.silent

    def lines(self) -> list[str]:
        """Return the counts in words, and the first silent columns."""
        counts = [f"  {self.counts[kind]:>9,} {kind}" for kind in ("same", "more", "fewer", "other", "unknown")]
        return [*counts, f"  {len(self.silent):>9,} silent", *self.silent[:MAX_SHOWN]]


def verify(stream: Stream, schemas: Path, folder: Path, say: Callable[[str], None]) -> Outcome:
    """Ingest the stream with and without the schemas in a folder's files, and compare the walks."""
    declared = _ingested(stream, _schemas(schemas), folder / "declared")
    say(f"ingested with schemas: {declared.version:,} versions; {coverage(declared)}")
    withheld = _ingested(stream, [], folder / "withheld")
    say(f"ingested without: {withheld.version:,} versions; {coverage(withheld)}")
    return compared(declared, withheld)


def compared(declared: Store, withheld: Store) -> Outcome:
    """Walk upstream in both stores from every column that has an upstream where the schemas are known."""
    known, view = declared.graph().as_of(AT), withheld.graph().as_of(AT)
    edges = known.edges()
    written = {dataset_of(edge.target) for edge in edges}
    columns = {edge.target for edge in edges if "#" in edge.target and not is_star(edge.target)}
    stated = declared.as_of(AT).columns(inferred=False)
    columns |= {f"{c.dataset}#{c.column}" for c in stated if c.dataset in written and not c.nested}
    outcome = Outcome()
    for column in sorted(columns):
        expected = tables(known, column)
        if not expected:  # a constant, or declared and never filled: there is nothing to miss
            continue
        found = tables(view, column)
        missing, more = expected - (found or set()), (found or set()) - expected
        if found is None:
            outcome.counts["unknown"] += 1
            continue
        outcome.counts["other" if missing and more else "fewer" if missing else "more" if more else "same"] += 1
        if missing and view.upstream(column).completeness.complete:
            outcome.silent.append(f"{column}: not a word of {', '.join(sorted(missing)[:3])} ({len(missing)} tables)")
    return outcome


def tables(view: GraphView, column: str) -> set[str] | None:
    """Return the datasets upstream of a column, None where the column is not known."""
    try:
        return {dataset_of(node) for node in view.reach(column, direction="up").names}
    except UnknownNodeError:
        return None


def coverage(store: Store) -> str:
    """Return in words how many messages with SQL, as received, are complete, partial and opaque."""
    counts = Counter(e.coverage for e in store.log() if e.coverage and e.derived_from is None and e.op != "offline")
    return ", ".join(f"{count:,} {name}" for name, count in counts.most_common())


def _schemas(folder: Path) -> list[bytes]:
    files = sorted(folder.glob("schemas-*.jsonl.gz"))
    return [line for file in files for line in gzip.decompress(file.read_bytes()).splitlines(keepends=True)]


def _ingested(stream: Stream, schemas: Iterable[bytes], folder: Path) -> Store:
    """Return a store that has read task changes and schemas as one history; AssertionError where it refused any."""
    lines = [*schemas, *(message["line"] for message in stream.messages)]
    folder.mkdir()
    file = folder / "messages.jsonl"
    file.write_bytes(b"".join(sorted(lines, key=_turn)))  # sorting keeps the order of lines of one turn
    store = Store.create(folder / "store")
    with Ingester(store, mapping=load_mapping("bqetl_stream"), system_times="recorded_at") as ingester:
        summary = ingester.ingest_file(str(file))
    assert summary.accepted == summary.received == len(lines), summary
    return store


def _turn(line: bytes) -> tuple[str, int, bool]:
    """Return the place of a message in the history: the schemas of a commit come before its tasks."""
    message = json.loads(line)
    return message["recorded_at"], message["commit_no"], message.get("kind") != "dataset"
