"""The lineage of SQL messages: each text parsed in a worker process, with the columns the store knows at its point.

The extractor is a pure function of the text and of the columns that it looked up. A job carries the columns of datasets
whose names occur in the text; if the extractor asks for one that was left out, the job is run again with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, cast

from ingest.resolve.touched_tables import aimed, untraced
from ingest.sql.dialects import function_registry
from lineage_tt.model.edges import alias_edges, name_of
from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Coverage, Lineage, MaskedText, Problem, TaskChange
from lineage_tt.model.redaction.credentials import mask_name
from lineage_tt.model.redaction.names import masked_lineage
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.write.catalog.catalog import CatalogView
from lineage_tt.write.catalog.reresolve import TRANSIENT

if TYPE_CHECKING:
    from ingest.sql import Extraction
    from ingest.sql.jobs import Masking
    from ingest.workers.pool import ExtractionPool

#: Raised by hand when a change of the extractor changes answers: history parsed before keeps its number.
EXTRACTOR_VERSION: Final = 25
MAX_ROUNDS: Final = 4
_WORD = re.compile(r"\w+")


class SqlResolver:
    """Makes lineages with a pool of worker processes, started when the first SQL comes.

    Where the ``policy`` is not to keep texts, problems of a text quote none of its literals; where they are to be
    masked, the masked text comes with the lineage.
    """

    def __init__(self, workers: int = 2) -> None:
        self.policy = TextPolicy.KEEP
        self._workers = workers
        self._pool: ExtractionPool | None = None
        self._names = _Names()
        self._functions = function_registry.current()  # an invalid file is rejected before any message is read

    def __call__(
        self, waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]], *, asks_target: bool = True
    ) -> list[Lineage]:
        """Return the lineage of each message under the columns beside it, in order.

        With ``asks_target``, a text that only reads, in a message that names no target, is partial.
        """
        columns = [self._mentioned(message, known) for message, known in waiting]
        extractions: list[Extraction | None] = [None] * len(waiting)
        open_ = list(range(len(waiting)))
        for _ in range(MAX_ROUNDS):
            for i, extraction in zip(open_, self._extract([(waiting[i][0], columns[i]) for i in open_]), strict=True):
                extractions[i] = extraction
            open_ = [i for i in open_ if self._add_missing(extractions[i], columns[i], waiting[i][1])]
            if not open_:
                break
        masked = self._masked([message for message, _ in waiting], columns, extractions)
        return [
            _as_lineage(extraction, message, masked.get(place), asks_target=asks_target)
            for place, (extraction, (message, _)) in enumerate(zip(extractions, waiting, strict=True))
            if extraction is not None
        ]

    def _masked(
        self,
        messages: Sequence[TaskChange],
        columns: Sequence[dict[str, Shape]],
        extractions: Sequence[Extraction | None],
    ) -> dict[int, Extraction]:
        """Return, by place, the extractions of masked texts, for the texts of which the policy wants one."""
        if self.policy is TextPolicy.KEEP:
            return {}
        from ingest.sql.masked import expected_of
        from ingest.sql.text.redact import mask_literals

        masked, maskings = {}, []
        for place, extraction in enumerate(extractions):
            if extraction is None or not (self.policy is TextPolicy.MASK or extraction.problems):
                continue
            if any(problem.code in TRANSIENT for problem in extraction.problems):
                sql, dialect = messages[place].sql or "", messages[place].dialect or ""
                masked[place] = replace(extraction, text=mask_literals(sql, dialect))
            else:
                maskings.append((place, expected_of(extraction)))
        results = self._extract(
            [(messages[place], columns[place]) for place, _ in maskings], [masking for _, masking in maskings]
        )
        return masked | dict(zip([place for place, _ in maskings], results, strict=True))

    def _extract(
        self, pairs: Sequence[tuple[TaskChange, dict[str, Shape]]], maskings: Sequence[Masking | None] = ()
    ) -> list[Extraction]:
        from ingest.sql.jobs import ExtractionJob  # sqlglot only where SQL comes
        from ingest.workers.pool import ExtractionPool

        if self._pool is None:
            self._pool = ExtractionPool(self._workers)
        functions = self._functions
        return self._pool.map(
            [
                ExtractionJob(
                    sql=message.sql or "",
                    dialect=message.dialect or "",
                    namespace=message.namespace or "",
                    default_database=message.default_database or "",
                    target=message.target,
                    params=dict(message.params),
                    columns=columns,
                    functions=functions,
                    masking=masking,
                )
                for (message, columns), masking in zip(pairs, maskings or [None] * len(pairs), strict=True)
            ]
        )

    def _mentioned(self, message: TaskChange, known: Mapping[str, Shape]) -> dict[str, Shape]:
        """Return the columns of the known datasets whose last name occurs in the text, and of the target."""
        words = set(_WORD.findall((message.sql or "").lower()))
        datasets = self._names.mentioned(known, words)
        if message.target:
            datasets.add(message.target)
        return {dataset: columns for dataset in datasets if (columns := known.get(dataset)) is not None}

    @staticmethod
    def _add_missing(extraction: Extraction | None, columns: dict[str, Shape], known: Mapping[str, Shape]) -> bool:
        """Add columns that a text looked up, that are known and were not passed; return whether there were any."""
        missing = {
            dataset: shape
            for dataset, answer in (extraction.lookups if extraction else ())
            if answer is None and (shape := known.get(mask_name(dataset))) is not None
        }
        columns.update(missing)
        return bool(missing)

    def close(self) -> None:
        """End the worker processes."""
        if self._pool is not None:
            self._pool.__exit__(None, None, None)
            self._pool = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class _Names:
    """The datasets of a catalog by the first word of their last name part, kept up as the catalog grows."""

    def __init__(self) -> None:
        self._by_word: dict[str, set[str]] = {}
        self._seen: set[str] = set()

    def mentioned(self, known: Mapping[str, Shape], words: set[str]) -> set[str]:
        datasets = known.datasets() if isinstance(known, CatalogView) else known.keys()
        if len(datasets) != len(self._seen):
            for dataset in datasets - self._seen:
                last = name_of(dataset).rsplit(".", 1)[-1].lower()
                match = _WORD.search(last)
                self._by_word.setdefault(match.group() if match else last, set()).add(dataset)
            self._seen = set(datasets)
        return {dataset for word in words for dataset in self._by_word.get(word, ())}


@cache
def parser_name() -> str:
    """Return what parsed: the sqlglot release, the extractor's own version, and the registered functions."""
    from importlib.metadata import version

    functions = function_registry.fingerprint(function_registry.current())
    return f"sqlglot {version('sqlglot')}, extractor {EXTRACTOR_VERSION}{functions}"


def _as_lineage(
    extraction: Extraction, message: TaskChange, masked: Extraction | None, *, asks_target: bool
) -> Lineage:
    """Return what was extracted as the store takes it; a text ``masked`` says the same, and its words quote nothing."""
    text = None
    if masked is not None:
        text = MaskedText(masked.text, dict(masked.params))
    if masked is not None and masked.text is not None:
        extraction, message = replace(extraction, problems=masked.problems), replace(message, sql=masked.text)
    if asks_target:
        extraction = aimed(extraction, message)
    placed = (edge for dataset, place in extraction.places for edge in alias_edges(dataset, place))
    lineage = Lineage(
        edges=sorted({*((e.source, e.target, e.type, e.subtype, e.expression) for e in extraction.edges), *placed}),
        ordered=True,
        coverage=cast(Coverage, extraction.coverage),
        problems=[
            *(Problem(p.code, p.detail, p.subject, p.line, p.column) for p in extraction.problems),
            *untraced(extraction, message),
        ],
        outputs=extraction.outputs,
        lookups=extraction.lookups,
        stars=extraction.stars,
        types=extraction.types,
        filled=extraction.filled,
        parser=parser_name(),
        masked=text,
    )
    return masked_lineage(lineage)
