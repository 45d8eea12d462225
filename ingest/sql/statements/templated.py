"""One job from text to lineage: guard, then templates, then the extractor; what no value was given for is reported."""

from __future__ import annotations

import re
import traceback
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from ingest.sql.dialects.dialects import Names, UnknownDialectError
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.before.engines.client import Script as ClientScript
from ingest.sql.parser.before.engines.client import without_client_lines
from ingest.sql.result import COMPLETE, OPAQUE, PARTIAL, Extraction, Problem
from ingest.sql.statements.emit import in_order
from ingest.sql.statements.extract import extract
from ingest.sql.text.guard import inspect_sql
from ingest.sql.text.limits import DEFAULT_LIMITS, Limits
from ingest.sql.text.original_places import original_place
from ingest.sql.text.parts import Neutralised
from ingest.sql.text.templates import neutralise
from lineage_tt.model.edges import name_of

if TYPE_CHECKING:
    from ingest.sql.jobs import ExtractionJob

_SETS: Final = re.compile(
    r"(?:^|;)\s*(?:--[^\n]*\n\s*)*set\s+(?:hivevar:|hiveconf:)?([\w.]+)\s*=([^;\n]*)", re.IGNORECASE | re.MULTILINE
)
_LONGEST_VALUE: Final = 1_000
_MAX_BRANCHES: Final = 4
_MAX_NAMED: Final = 8


def extract_guarded(job: ExtractionJob, limits: Limits | None = None) -> Extraction:
    """Return the lineage of a job's text, opaque with the guard's problem where it must not be parsed.

    A template with ``{% if %} … {% else %}`` is several texts: the extraction holds what any of them does, as partial.
    """
    try:
        return _extracted(_with_target(job), limits or DEFAULT_LIMITS)
    except RecursionError:
        return _refused(Problem("too-nested", "nested deeper than the extractor can follow"))
    except Exception as error:  # the last resort: a fault costs only this message, and carries its own name
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {PurePath(frame.filename).name}, line {frame.lineno}"
        return _refused(Problem("extractor-fault", f"this is an error of the extractor, please report it: {place}"))


def _with_target(job: ExtractionJob) -> ExtractionJob:
    """Return the job with the node of its target, which a message may give as a name alone."""
    if not job.target:
        return job
    try:
        target = Names(job.dialect, job.namespace, job.default_database).target(job.target)
    except UnknownDialectError:
        return job
    return job if target == job.target else replace(job, target=target)


def _extracted(job: ExtractionJob, limits: Limits) -> Extraction:
    script = without_client_lines(job.sql, rules_or_standard(job.dialect))
    job = replace(job, sql=script.text)
    problem = inspect_sql(job.sql, limits, dialect=job.dialect)
    if problem is not None:
        return _refused(problem)
    this = name_of(job.target) if job.target else ""
    if settings := script.sets | settings_of(job.sql, job.dialect):
        job = replace(job, params={**settings, **job.params})
    first = neutralise(job.sql, job.params, dialect=job.dialect, this=this)
    extraction = _extract(job, first, limits)
    is_blank = not first.text.strip()
    for branch in range(1, min(first.branches, _MAX_BRANCHES)):
        other = neutralise(job.sql, job.params, dialect=job.dialect, this=this, branch=branch)
        is_blank = is_blank and not other.text.strip()
        extraction = _either(extraction, _extract(job, other, limits))
    if is_blank:  # a branch may do nothing; a text without any statement is not understood
        extraction = _refused(Problem("unsupported-statement", "there is no statement in this text"))
    if script.runs:
        extraction = _with_runs(extraction, script)
    return _marked(extraction, first.unknown) if first.unknown else extraction


def _with_runs(extraction: Extraction, script: ClientScript) -> Extraction:
    """Return an extraction that says what the client's lines run: other scripts, or statements elsewhere."""
    problems = [
        Problem("opaque-call", f"what {word} runs is not looked into", line=line) for word, line in script.runs.items()
    ]
    coverage = PARTIAL if extraction.coverage == COMPLETE else extraction.coverage
    return replace(extraction, coverage=coverage, problems=(*extraction.problems, *problems))


def settings_of(sql: str, dialect: str) -> dict[str, str]:
    """Return what a text sets for itself, ``SET hivevar:day=…;``, by the names that its template parts use."""
    if not rules_or_standard(dialect).substitutes_settings or "${" not in sql:
        return {}
    settings = [(match[1].lower(), match[2].strip()) for match in _SETS.finditer(sql)]
    return {name: value for name, value in settings if "${" not in value and len(value) <= _LONGEST_VALUE}


def _extract(job: ExtractionJob, neutral: Neutralised, limits: Limits) -> Extraction:
    text = neutral.text
    if text != job.sql and (problem := inspect_sql(text, limits, dialect=job.dialect)):
        return _refused(problem)  # a parameter's value may hold anything
    extraction = extract(
        text,
        dialect=job.dialect,
        namespace=job.namespace,
        default_database=job.default_database,
        target=job.target,
        columns=job.columns,
        functions=job.functions,
        lacks_parts=bool(neutral.unknown),
    )
    if text == job.sql:
        return extraction
    return replace(extraction, problems=tuple(_placed(problem, text, job.sql) for problem in extraction.problems))


def _placed(problem: Problem, text: str, sql: str) -> Problem:
    """Return a problem with its place in the text as it was written, template parts and all."""
    if problem.line is None:
        return problem
    line, column = original_place(text, sql, problem.line, problem.column)
    return replace(problem, line=line, column=column)


def _refused(problem: Problem) -> Extraction:
    return Extraction((), OPAQUE, (problem,), (), (), (), (), ())


def _either(one: Extraction, other: Extraction) -> Extraction:
    """Return what holds of either branch; columns of a dataset that both write count if they are the same."""
    outputs, others = dict(one.outputs), dict(other.outputs)
    return Extraction(
        edges=in_order((*one.edges, *other.edges)),
        coverage=OPAQUE if OPAQUE in (one.coverage, other.coverage) and not (one.edges or other.edges) else PARTIAL,
        problems=tuple(dict.fromkeys((*one.problems, *other.problems))),
        reads=tuple(sorted({*one.reads, *other.reads})),
        writes=tuple(sorted({*one.writes, *other.writes})),
        outputs=tuple(sorted((k, v) for k, v in (others | outputs).items() if others.get(k, v) == outputs.get(k, v))),
        lookups=tuple(sorted({**dict(one.lookups), **dict(other.lookups)}.items())),
        statements=one.statements,
        stars=tuple(sorted({*one.stars, *other.stars})),
        types=tuple(sorted({*one.types} & {*other.types})),
        places=tuple(sorted({*one.places} & {*other.places})),
    )


def _marked(extraction: Extraction, unknown: tuple[str, ...]) -> Extraction:
    named = ", ".join(name[:60] for name in unknown[:_MAX_NAMED]) + (", …" if len(unknown) > _MAX_NAMED else "")
    problem = Problem("template", f"no value for {named}")
    coverage = PARTIAL if extraction.coverage == COMPLETE else extraction.coverage
    return replace(extraction, coverage=coverage, problems=(*extraction.problems, problem))
