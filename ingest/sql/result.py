"""What the extractor gives back: edges, how far they can be trusted, and why not further.

Plain frozen values, small and picklable: they cross process borders.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ingest.sql.jobs import Lookups
from lineage_tt.model.edges import Edge
from lineage_tt.model.facts import Types

COMPLETE: Final = "complete"
PARTIAL: Final = "partial"
OPAQUE: Final = "opaque"

Outputs = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason why an answer is not complete.

    ``code`` is stable and short ("syntax", "unknown-columns", "ambiguous-column", "unknown-column", "column-count",
    "column-order", "repeated-column", "unnamed-column", "misplaced-aggregate", "ungrouped-column", "unknown-source",
    "definition-only", "unsupported-statement", "opaque-call", "unsupported-dialect", "not-understood",
    "renamed-table", "extractor-fault"); ``detail`` says it in words and never holds a whole statement; ``subject`` is
    the output column or dataset concerned; ``line`` and
    ``column`` from 1.
    """

    code: str
    detail: str
    subject: str = ""
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class StatementLineage:
    """The edges of one statement of a script, before temporary tables are left out.

    ``kind`` is one of insert, ctas, view, merge, update, delete, ddl, select, other.
    """

    index: int
    kind: str
    edges: tuple[Edge, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extraction:
    """The lineage of one SQL text.

    ``edges`` are sorted and distinct, temporary tables of the script resolved away. ``reads`` and ``writes`` are the
    dataset nodes outside the script that it touches. ``outputs`` gives the columns, in order, of each dataset that the
    script leaves, where they are known. ``types`` are the types that the script declares of columns of its ``outputs``,
    as text. ``lookups`` names every dataset whose columns were looked up, with the answer: with equal answers the same
    text gives the same extraction. ``stars`` are those of them of which all columns and their order count, because of a
    star or a positional insert; of the others only columns that the text names do. ``filled`` gives the names with
    which queries fill datasets of unknown columns, partition columns last: they may have more. ``places`` are, by
    dataset, the folders of the files of the script's tables: another name of each. Where a job requests the text with
    its literals masked, ``text`` is the masked text, and ``params`` the values of its template parts; ``text`` is None
    where literals cannot be masked without another lineage.
    """

    edges: tuple[Edge, ...]
    coverage: str
    problems: tuple[Problem, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    outputs: Outputs
    lookups: Lookups
    statements: tuple[StatementLineage, ...]
    stars: tuple[str, ...] = ()
    types: tuple[tuple[str, Types], ...] = ()
    filled: Outputs = ()
    text: str | None = None
    params: tuple[tuple[str, str], ...] = ()
    places: tuple[tuple[str, str], ...] = ()
