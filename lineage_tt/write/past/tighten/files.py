"""Rebuilds the log's data files under a policy: each row as the policy keeps it, chained to the row before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from lineage_tt.log import commits, verify
from lineage_tt.model.clock import unique_name
from lineage_tt.model.format import GENESIS, LogRow, chain_checksum
from lineage_tt.model.messages import MaskedText, Problem
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.rows import redacted_row
from lineage_tt.read.macros.database import reading_files
from lineage_tt.write.past.tighten import merging
from lineage_tt.write.subjects.tasks import ItemChange

if TYPE_CHECKING:
    from pathlib import Path

    from lineage_tt.log.log import Log
    from lineage_tt.storage.location import Place

#: Masks the texts of rows: returns, by version, the text without literals and the parser's problems (None: not parsed).
Masker = Callable[[Sequence[LogRow]], Mapping[int, tuple[MaskedText | None, Sequence[Problem] | None]]]
#: The most rows in memory at once.
ROWS: Final = 1024
#: An edge's change has eight values, a fact's six.
_EDGE_CHANGE: Final = 8
_DERIVED: Final = "SELECT DISTINCT derived_from FROM read_parquet($files) WHERE derived_from IS NOT NULL"


class NewFile(NamedTuple):
    """A data file that replaces another, or the same file where nothing in it changes."""

    name: str
    first: int
    last: int
    size: int
    old: str


class Files:
    """Rebuilds the files of a log, in version order; call ``advance`` again to include files that came meanwhile.

    The new files are in the log's folder and belong to no commit yet.
    """

    def __init__(self, log: Log, policy: TextPolicy, mask: Masker | None, progress: Callable[[int, int], None]) -> None:
        self._log = log
        self.policy = policy
        self._mask = mask
        self._progress = progress
        self._writer = unique_name()
        self._items = merging.items_of(log, policy)
        self._merged: dict[int, list[ItemChange]] = {}
        self._digests: dict[int, str | None] = {}
        self._bases: set[int] = set()
        self.files: list[NewFile] = []
        #: The last version that was rebuilt, and the checksum of its row.
        self.version = 0
        self.checksum = GENESIS

    def advance(self) -> None:
        """Rebuild the files that hold versions after the last rebuilt version."""
        log = self._log
        if self.version == log.version:
            return
        subjects = merging.merged_subjects(log, self._items, self.policy)
        self._merged = merging.placed_again(log, subjects, self._items)
        with reading_files() as con:
            files = {"files": [str(path) for path in verify.verified_files(log)]}
            self._bases = {version for (version,) in con.execute(_DERIVED, files).fetchall()}
        remaining = [place for place in log.files() if verify.last_version(place) > self.version]
        for place, local in zip(remaining, verify.verified_files(log, self.version), strict=True):
            self.files.append(self._rewritten(place, local))
            self._progress(self.version, log.version)

    def replaces(self, names: Iterable[str]) -> bool:
        """Return whether exactly these files were rebuilt."""
        return {file.old for file in self.files} == set(names)

    def changed(self) -> list[NewFile]:
        """Return the new files that differ from the old ones."""
        return [file for file in self.files if file.name != file.old]

    def discard(self) -> None:
        """Remove the new files, which will not be in force."""
        for file in self.changed():
            (self._log.path / file.name).unlink(missing_ok=True)
        self.files = []

    def _rewritten(self, place: Place, local: Path) -> NewFile:
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        from lineage_tt.log import arrow

        file = pq.ParquetFile(local)
        order = pc.sort_indices(file.read(columns=["version"])["version"].combine_chunks())
        tables, changed = [], False
        for batch in arrow.batches(file, ROWS):
            before = list(arrow.from_table(batch))
            rows = list(self._rows(before))
            changed = changed or any(a[-1] != b[-1] for a, b in zip(before, rows, strict=True))
            tables.append(arrow.to_table(rows))
        first, last = self.version - len(order) + 1, self.version
        if not changed:
            return NewFile(place.name, first, last, local.stat().st_size, place.name)
        table = pa.concat_tables(tables)
        if not order.equals(pa.array(range(len(order)), order.type)):
            table = table.take(pc.sort_indices(order))  # clustered by task, as compaction wrote it
        data = arrow.bytes_of([table])
        name = commits.data_file_name(first, last, data, self._writer)
        self._log.write(self._log.path / name, data)
        return NewFile(name, first, last, len(data), place.name)

    def _rows(self, rows: Sequence[LogRow]) -> Iterator[LogRow]:
        texts, policy = self._log.texts, self.policy
        to_mask = [row for row in rows if row.sql is not None and texts.at(row.version).strictness < policy.strictness]
        masked = self._mask(to_mask) if to_mask and self._mask is not None and policy is TextPolicy.MASK else {}
        for row in rows:
            redacted = redacted_row(row, policy, texts.at(row.version), self._items, *masked.get(row.version, ()))
            if row.version in self._bases:
                self._digests[row.version] = redacted.sql_sha256
            if row.derived_from in self._digests:
                redacted = redacted._replace(sql_sha256=self._digests[row.derived_from])
            if row.version in self._merged:
                redacted = _changing(redacted, self._merged[row.version])
            values = list(redacted)
            values[-1] = self.checksum = chain_checksum(self.checksum, values)
            self.version = row.version
            yield LogRow._make(values)


def _changing(row: LogRow, changes: Sequence[ItemChange]) -> LogRow:
    return row._replace(
        changes=[change for change in changes if len(change) == _EDGE_CHANGE],
        fact_changes=[change for change in changes if len(change) != _EDGE_CHANGE],
    )
