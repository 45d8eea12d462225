"""A text with its literals masked that still says the same: masked after it was parsed, and parsed once more.

Most literals are values, and nothing of the lineage depends on them. Some are names: files, columns of a PIVOT, keys of
a struct, positions in GROUP BY, a query in a string. Literals that the lineage itself names are kept. Where the masked
text still has another lineage, the literals that cause this are searched for; a text is given up, and must be dropped,
where one of these is more than a name, or there are too many.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ingest.sql.dialects.parts.time_units import UNITS
from ingest.sql.jobs import Masking
from ingest.sql.text.redact import NUMBER, Literal, literals, mask_literals, masked
from ingest.sql.text.regions import STRING
from lineage_tt.model.redaction.texts import looks_like_sql

if TYPE_CHECKING:
    from ingest.sql.jobs import ExtractionJob
    from ingest.sql.result import Extraction
    from ingest.sql.text.limits import Limits

#: The most parses, and the most seconds of CPU time, that are spent on a text.
MAX_PARSES: Final = 48
MAX_SECONDS: Final = 2.0
#: The longest literal, and number of digits, that stays because the lineage depends on it.
MAX_LENGTH: Final = 128
MAX_DIGITS: Final = 3
#: What holds a password or a key: ``//user:password@host``, ``?sig=…``.
_SECRET: Final = re.compile(
    r"//[^/@\s]*:[^/\s]*@|[?&;]\w*(?:sig|signature|token|key|secret|password|credential)=", re.IGNORECASE
)
_PLAIN: Final = re.compile(r"\W+")
_WORDS: Final = re.compile(r"[^\W_]+")
#: Numbers that are positions of columns, and parts of types: after BY, and in DECIMAL(10, 2).
_BY: Final = re.compile(r"\bby\b(?P<list>[\s\w.,`\"]*)\Z", re.IGNORECASE)
_TYPE: Final = re.compile(
    r"\b(?:\w*char2?|character|varying|\w*binary|decimal\d*|dec|numeric|number|bit|float|double|string|text|"
    r"fixedstring|time|timestamp\w*|datetime\d*|raw)\s*\([\s\d,]*\Z",
    re.IGNORECASE,
)


def expected_of(extraction: Extraction) -> Masking:
    """Return what the masked text of an extraction must say, and the names that may stay in it."""
    names = {name for edge in extraction.edges for name in edge[:2]} | {*extraction.reads, *extraction.writes}
    for dataset, columns in (*extraction.outputs, *extraction.filled, *extraction.types):
        names.add(dataset)
        names.update(f"{dataset}#{each if isinstance(each, str) else each[0]}" for each in columns)
    names.update(dataset for dataset, _ in extraction.lookups)
    names.update(place for _, place in extraction.places)
    return Masking(_digest(extraction), tuple(sorted(names)))


def _digest(extraction: Extraction) -> bytes:
    content = (
        sorted(set(extraction.edges)),
        extraction.coverage,
        extraction.outputs,
        extraction.lookups,
        sorted(extraction.stars),
        extraction.types,
        extraction.filled,
        extraction.reads,
        extraction.writes,
        sorted({problem.code for problem in extraction.problems}),
        *([extraction.places] if extraction.places else []),
    )
    return hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).digest()


def extract_masked(job: ExtractionJob, limits: Limits | None = None) -> Extraction:
    """Return the extraction of a job's masked text, with that text; an empty one without it where it was given up."""
    from ingest.sql.result import OPAQUE, Extraction

    extraction = _Search(job, limits).run()
    return extraction if extraction is not None else Extraction((), OPAQUE, (), (), (), (), (), ())


class _Search:
    """One text whose literals are masked, as many as possible."""

    def __init__(self, job: ExtractionJob, limits: Limits | None) -> None:
        assert job.masking is not None
        self._job = replace(job, masking=None)
        self._limits = limits
        self._expected = job.masking
        self._literals = [_nested(each, job.dialect) for each in literals(job.sql, job.dialect)]
        self._names = {*_named(job.masking.names), *UNITS} - {""}
        self._words = {word for name in job.masking.names for word in _WORDS.findall(name.lower())}
        self._params = _masked_params(job.params, job.masking.names)
        self._begun = time.process_time()
        self._parses = 0

    def run(self) -> Extraction | None:
        unmasked = {place for place, each in enumerate(self._literals) if self._is_name(each)}
        result = self._tried(unmasked)
        if result is not None:
            return result
        doubtful = [p for p, each in enumerate(self._literals) if p not in unmasked and self._may_stay(each)]
        return self._with_needed(unmasked, doubtful)

    def _with_needed(self, unmasked: set[int], doubtful: Sequence[int]) -> Extraction | None:
        """Keep those of the doubtful literals without which the lineage is another, located one by one by bisection."""
        needed: set[int] = set()
        if self._tried(unmasked | {*doubtful}) is None:
            return None
        while not self._is_spent:
            low, high = 0, len(doubtful)  # with the first ``high`` the lineage is the same, with ``low`` it is not
            while high - low > 1 and not self._is_spent:
                middle = (low + high) // 2
                same = self._tried(unmasked | needed | {*doubtful[:middle]}) is not None
                low, high = (low, middle) if same else (middle, high)
            needed.add(doubtful[high - 1])
            doubtful = doubtful[: high - 1]
            result = self._tried(unmasked | needed)
            if result is not None or not doubtful:
                return result
        return None

    def _tried(self, unmasked: Collection[int]) -> Extraction | None:
        """Return the extraction with only these literals unmasked, None where its lineage differs."""
        from ingest.sql.statements.templated import extract_guarded

        self._parses += 1
        text = masked(self._job.sql, self._literals, unmasked)
        job = replace(self._job, sql=text, params=self._params)
        extraction = extract_guarded(job, self._limits)
        if _digest(extraction) != self._expected.digest:
            return None
        return replace(extraction, text=text, params=tuple(sorted(self._params.items())))

    @property
    def _is_spent(self) -> bool:
        return self._parses >= MAX_PARSES or time.process_time() - self._begun > MAX_SECONDS

    def _is_name(self, each: Literal) -> bool:
        """Return whether a literal is certainly kept: the lineage names it, or it is a unit, a place, a size."""
        if each.kind == STRING:
            return _PLAIN.sub("", each.value).lower() in self._names
        if each.kind == NUMBER and each.value in self._names:  # a column that PIVOT calls by a number
            return True
        if each.kind != NUMBER or len(each.value) > MAX_DIGITS:
            return False
        if each.value in ("0", "1"):
            return True
        before = self._job.sql[max(0, each.start - 512) : each.start]
        listed = _BY.search(before)
        if listed and (listed["list"].rstrip()[-1:] or ",") == ",":
            return True
        return _TYPE.search(before) is not None

    def _may_stay(self, each: Literal) -> bool:
        """Return whether a literal may be kept if the lineage depends on it: it must be no more than names."""
        if each.kind == NUMBER:
            return len(each.value) <= MAX_DIGITS
        if each.kind != STRING or len(each.value) > MAX_LENGTH or _SECRET.search(each.value):
            return False
        return not each.value.strip().count(" ") or {*_WORDS.findall(each.value.lower())} <= self._words


def _nested(each: Literal, dialect: str) -> Literal:
    """Return a literal; if it holds SQL, its mask is that SQL, itself masked."""
    if each.kind != STRING or not looks_like_sql(each.value):
        return each
    opening, _, rest = each.mask.partition("?")
    closing = rest.lstrip("\n")
    if len(opening) > 1:  # $$, """, q'[: quotes inside are literal
        return each._replace(mask=f"{opening}{mask_literals(each.value, dialect)}{closing}")
    escaped = f"\\{opening}" if f"\\{opening}" in each.value else opening * 2
    inner = mask_literals(each.value.replace(escaped, opening), dialect)
    return each._replace(mask=f"{opening}{inner.replace(opening, escaped)}{closing}")


def _named(names: Iterable[str]) -> Iterator[str]:
    """Yield names and their parts in lower case, letters and digits alone: as strings in a text may have them."""
    for name in names:
        dataset, _, column = name.partition("#")
        bare = dataset.partition(":")[2]
        parts = bare.split(".")
        heads = (".".join(parts[:place]) for place in range(1, len(parts)))
        for part in (dataset, bare, bare.rpartition(":")[2], column, *parts, *heads, *column.split(".")):
            yield _PLAIN.sub("", part).lower()


def _masked_params(params: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Return the values of template parts, those that occur in no name of the lineage masked."""
    text = "\n".join(names).lower()
    return {name: value if value.lower() in text else "0" if value.isdigit() else "?" for name, value in params.items()}
