"""Bytes to events: what differs from run to run is kept apart from what is stated about lineage.

Runs of one job say the same each time. What an event says about lineage is its *shape*; events of one shape differ only
in their run, their time and their figures, and are validated and converted once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from ingest.events.openlineage import checks, describing, queries, unread
from ingest.events.openlineage.spec.models import Kind, kind_of, type_of, validated
from ingest.messages.fields import instant
from ingest.messages.native import parse_object
from ingest.messages.refusals import refusal
from lineage_tt.model.edges import dataset_node
from lineage_tt.model.messages import RejectedMessage
from lineage_tt.model.redaction.credentials import mask_bytes
from lineage_tt.write.admission import catch_all

#: Bytes of the digests that tell shapes apart.
DIGEST: Final = 16
#: Facets of datasets that differ between runs of one job and say nothing about lineage.
_FIGURES: Final = frozenset({"version", "dataQualityMetrics", "dataQualityAssertions"})
#: Facets of runs that may give a task its name, affect how SQL is read, or state lineage.
_RUN_FACETS: Final = ("parent", "tags", "processing_engine", "lineage", queries.CONTEXT, checks.TEST,
               describing.DEPENDENCIES, describing.EXTRACTION_ERROR)  # fmt: skip
#: Of these, also the remaining content is kept.
_BOTH: Final = frozenset({checks.TEST, describing.DEPENDENCIES, describing.EXTRACTION_ERROR})
#: Where a dataset has the facets of one use of it.
_USES: Final = ("inputFacets", "outputFacets")
#: Facets of runs that may hold secrets under any name: their names are kept, their values are not.
_SECRET: Final = frozenset({"environmentVariables"})
#: The longest facets beside the lineage that are kept with a shape, in bytes of JSON.
MAX_EXTRAS: Final = 64 * 1024
_FINER: Final = re.compile(r"([.,]\d{6})\d+")
#: Times as OpenLineage's own clients once wrote them.
_WITHOUT_ZONE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?")
#: A time in a leap second, which is the first second of the next minute for clocks that count none.
_LEAP_SECOND: Final = re.compile(r"(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d):60((?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d))")
Translate = Callable[[Mapping[str, Any]], Mapping[str, Any]]


@dataclass(slots=True)
class Event:
    """An event: who, when, and the shape of what it says.

    ``at``, ``nominal`` and ``began`` are UTC microseconds; ``began`` is when the run began, where the event of its end
    says so. ``figures`` are rows and bytes written, by dataset node. ``body`` is JSON of what is stated about lineage,
    ``extras`` of all the rest; both are None where the shape was known before. ``problem`` is a code and a detail,
    where a part of the event has no effect.
    """

    kind: Kind
    at: int
    type: str
    run_id: str
    namespace: str
    name: str
    shape: bytes
    digest: bytes
    nominal: int | None = None
    figures: Mapping[str, tuple[int | None, int | None]] = field(default_factory=dict)
    body: bytes | None = None
    extras: bytes | None = None
    began: int | None = None
    problem: tuple[str, str] | None = None


def parse_event(
    raw: bytes, known: Container[bytes] = (), position: int | None = None, translate: Translate | None = None
) -> Event | RejectedMessage:
    """Return the event in ``raw``, one JSON object in UTF-8; a RejectedMessage where it is none.

    ``known`` are shapes that were validated before. ``translate`` turns events of other formats into OpenLineage's.
    """
    try:
        return _event(raw, known, translate)
    except (ValueError, RecursionError) as error:
        return refusal(raw, error, position)
    except Exception as error:  # the last resort: no event may stop the reading of the others
        if not catch_all.is_bug(error):
            raise
        return catch_all.refusal_of(raw, error, position)


def _event(raw: bytes, known: Container[bytes], translate: Translate | None) -> Event:
    try:
        document: Any = orjson.loads(raw)
    except orjson.JSONDecodeError:
        document = parse_object(raw)  # says what is wrong
    if not isinstance(document, dict):
        raise ValueError("the event is not a JSON object")
    document = translate(document) if translate else document
    kind = kind_of(document)
    at = _time(_text(document.get("eventTime"), "eventTime"))
    run = _object(document.get("run"), "run") if kind == "run" else {}
    subject = _object(document["dataset"], "dataset") if kind == "dataset" else _object(document.get("job"), "job")
    run_id = _text(run.get("runId"), "run.runId") if kind == "run" else ""
    if kind == "run" and queries.is_query_id(subject.get("name")) and queries.of_engine(subject.get("facets")):
        run_id, subject = subject["name"], {**subject, "name": queries.QUERY}  # a name of its own for each run
    figures: dict[str, tuple[int | None, int | None]] = {}
    body = _body(document, kind, run, subject, figures)
    packed = _packed(body, orjson.OPT_SORT_KEYS)
    shape = hashlib.blake2b(packed, digest_size=DIGEST).digest()
    event = Event(
        kind,
        at,
        type_of(document)[0] if kind == "run" else "",
        run_id,
        _text(subject.get("namespace"), "namespace"),
        _text(subject.get("name"), "name"),
        shape,
        hashlib.blake2b(raw, digest_size=DIGEST).digest(),
        nominal := _nominal(run),
        figures,
        began=_time(document["began"]) if isinstance(document.get("began"), str) else None,
        problem=unread.problem_of(document, subject, shape, body, has_nominal=nominal is not None),
    )
    if shape not in known:
        whole = parse_object(raw)
        validated(translate(whole) if translate else whole, kind)
        event.body, event.extras = mask_bytes(packed), _extras(document, run)
    return event


def _body(
    document: Mapping[str, Any], kind: Kind, run: Mapping[str, Any], subject: Mapping[str, Any],
    figures: dict[str, tuple[int | None, int | None]],
) -> dict[str, Any]:  # fmt: skip
    """Return what an event says about lineage; note what it says about rows and bytes."""
    if kind == "dataset":
        return {"kind": kind, "dataset": _dataset(subject)}
    body: dict[str, Any] = {"kind": kind, "job": {name: subject.get(name) for name in ("namespace", "name", "facets")}}
    for name in ("inputs", "outputs"):
        body[name] = [_dataset(_object(each, name)) for each in _list(document.get(name), name)]
    for each in document.get("outputs") or ():
        statistics = _statistics(each)
        if statistics is not None:
            figures[dataset_node(str(each.get("namespace")), str(each.get("name")))] = statistics
    facets = run.get("facets")
    if isinstance(facets, dict):
        body["run"] = {name: _steady(name, facets[name]) for name in _RUN_FACETS if name in facets}
    if document.get("producer"):
        body["producer"] = document["producer"]
    if queries.of_engine(subject.get("facets")):
        queries.steady(body)
    return body


def _packed(value: Mapping[str, Any], option: int = 0) -> bytes:
    try:
        return orjson.dumps(value, option=option)
    except orjson.JSONEncodeError:
        raise ValueError("the event is nested too deep") from None


def _dataset(dataset: Mapping[str, Any]) -> dict[str, Any]:
    facets = own = dataset.get("facets")
    if isinstance(facets, dict) and not _FIGURES.isdisjoint(facets):
        facets = {name: facet for name, facet in facets.items() if name not in _FIGURES}
    assertions = [each.get(checks.ASSERTIONS) for name in _USES if isinstance(each := dataset.get(name), dict)]
    assertions += [own.get(checks.ASSERTIONS)] if isinstance(own, dict) else []
    if any(assertions) and isinstance(facets, dict | None):
        facets = {**(facets or {}), checks.ASSERTIONS: checks.steady(checks.ASSERTIONS, checks.joined(assertions))}
    return {"namespace": dataset.get("namespace"), "name": dataset.get("name"), "facets": facets}


def _steady(name: str, facet: Any) -> Any:
    """Return a run's facet without what names the run."""
    if name == checks.TEST:
        return checks.steady(name, facet)
    if name == describing.DEPENDENCIES and isinstance(facet, dict):
        return describing.steady_dependencies(facet)
    if name == describing.EXTRACTION_ERROR:
        return {"failed": describing.has_failed(facet)}
    if name == "parent" and isinstance(facet, dict):
        root = facet.get("root")
        job = root.get("job") if isinstance(root, dict) else None
        return {"job": _names(facet.get("job")), **({"root": {"job": _names(job)}} if job else {})}
    if name == "processing_engine" and isinstance(facet, dict):
        return {"name": facet.get("name")}
    if name == queries.CONTEXT and isinstance(facet, dict):
        return {each: facet[each] for each in queries.STEADY if facet.get(each)}
    return facet


def _names(job: Any) -> Any:
    return {name: job.get(name) for name in ("namespace", "name")} if isinstance(job, dict) else job


def _statistics(output: Any) -> tuple[int | None, int | None] | None:
    facets = output.get("outputFacets") if isinstance(output, dict) else None
    facet = facets.get("outputStatistics") if isinstance(facets, dict) else None
    if not isinstance(facet, dict):
        return None
    rows, size = facet.get("rowCount"), facet.get("size")
    return (rows if _is_count(rows) else None), (size if _is_count(size) else None)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _nominal(run: Mapping[str, Any]) -> int | None:
    facets = run.get("facets")
    facet = facets.get("nominalTime") if isinstance(facets, dict) else None
    start = facet.get("nominalStartTime") if isinstance(facet, dict) else None
    if not isinstance(start, str):
        return None
    try:
        return _time(start)
    except ValueError:
        return None


def _time(text: str) -> int:
    """Return UTC microseconds; finer digits of engines' clocks are cut off. A time without a zone is UTC.

    ValueError for a text that is not a time.
    """
    if _WITHOUT_ZONE.fullmatch(text):
        text += "Z"
    if text.endswith("z"):  # as RFC 3339 allows
        text = text[:-1] + "Z"
    if leap := _LEAP_SECOND.fullmatch(text):
        text = f"{leap[1]}:59{leap[2]}"
    result = instant(_FINER.sub(r"\1", text))
    assert result is not None
    return result + (1_000_000 if leap else 0)


def _extras(document: Mapping[str, Any], run: Mapping[str, Any]) -> bytes:
    """Return what is kept of an event beside the lineage: credentials masked, long facets by name only."""
    facets = run.get("facets")
    extras: dict[str, Any] = {}
    if isinstance(facets, dict):
        extras["run"] = {
            n: _named(f) if n in _SECRET else f for n, f in facets.items() if n not in _RUN_FACETS or n in _BOTH
        }
    for name in ("inputs", "outputs"):
        used = {
            f"{each.get('namespace')}:{each.get('name')}": uses
            for each in document.get(name) or ()
            if (uses := _uses(each))
        }
        if used:
            extras[name] = used
    left = {n: v for n, v in document.items() if n not in ("run", "job", "inputs", "outputs", "eventTime", "eventType")}
    extras |= {"event": left}
    packed = _packed(extras)
    if len(packed) > MAX_EXTRAS:
        packed = orjson.dumps({"left_out": sorted(_paths(extras))[:1000]})
    return mask_bytes(packed)


def _uses(dataset: Mapping[str, Any]) -> dict[str, Any]:
    own = dataset.get("facets") or {}
    uses = {name: own[name] for name in _FIGURES if isinstance(own, dict) and name in own}
    for name in _USES:
        if isinstance(dataset.get(name), dict) and dataset[name]:
            uses[name] = dataset[name]
    return uses


def _named(facet: Any) -> Any:
    variables = facet.get("environmentVariables") if isinstance(facet, dict) else None
    names: Iterable[Any] = variables if isinstance(variables, list) else ()
    return {"names": [each.get("name") for each in names if isinstance(each, dict)]}


def _paths(extras: Mapping[str, Any]) -> Iterable[str]:
    for name, inside in extras.items():
        yield from (f"{name}.{each}" for each in inside)


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{what}: " + ("is missing" if value is None else "must be text, and not empty"))
    return value


def _object(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{what}: must be an object")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f"{what}: must be a list")
    return value
