"""RunEvent, JobEvent and DatasetEvent of OpenLineage (spec 2-0-2), read tolerantly.

Only what names a thing is required: job, run, dataset, time. Unknown fields and facets are kept as they came; a facet
of a wrong shape counts as unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ingest.messages.fields import Name
from ingest.messages.wording import misspelled
from lineage_tt.model.names import clipped, meaning


def _mapping(value: Any) -> Any:
    return {} if value is None else value


def _sequence(value: Any) -> Any:
    return [] if value is None else value


Facets = Annotated[dict[str, Any], BeforeValidator(_mapping)]


class Part(BaseModel):
    """What all parts of an event have in common: unknown fields are kept."""

    model_config = ConfigDict(extra="allow", strict=False)


class Dataset(Part):
    """A dataset with its facets; as an input or output of a job also with those of this one use of it."""

    namespace: Name
    name: Name
    facets: Facets = Field(default_factory=dict)
    inputFacets: Facets = Field(default_factory=dict)  # noqa: N815 (the specification's names)
    outputFacets: Facets = Field(default_factory=dict)  # noqa: N815


Datasets = Annotated[list[Dataset], BeforeValidator(_sequence)]


class Job(Part):
    """A job with its facets."""

    namespace: Name
    name: Name
    facets: Facets = Field(default_factory=dict)


class Run(Part):
    """A run of a job; its id should be a UUID, and any text is taken."""

    runId: Name  # noqa: N815
    facets: Facets = Field(default_factory=dict)


class Event(Part):
    """What all events have in common."""

    eventTime: str  # noqa: N815
    producer: str | None = None
    schemaURL: str | None = None  # noqa: N815


class RunEvent(Event):
    """A run began, continues, or ended."""

    eventType: str | None = None  # noqa: N815
    run: Run
    job: Job
    inputs: Datasets = Field(default_factory=list)
    outputs: Datasets = Field(default_factory=list)


class JobEvent(Event):
    """What a job does, declared without a run."""

    job: Job
    inputs: Datasets = Field(default_factory=list)
    outputs: Datasets = Field(default_factory=list)


class DatasetEvent(Event):
    """What a dataset is, declared without a run."""

    dataset: Dataset


AnyEvent = RunEvent | JobEvent | DatasetEvent
Kind = Literal["run", "job", "dataset"]

#: The code of a type, or state, of an event that is not known.
UNKNOWN_TYPE: Final = "unknown-event-type"
_TYPES: Final = ("START", "RUNNING", "OTHER", "COMPLETE", "FAIL", "ABORT")
_MODELS: dict[Kind, type[AnyEvent]] = {"run": RunEvent, "job": JobEvent, "dataset": DatasetEvent}


def kind_of(event: Mapping[str, Any]) -> Kind:
    """Return which event an object is; ValueError for one that names no run, job or dataset.

    Only the event of a run has a type: one without its run must not count as what a job declares.
    """
    if event.get("run") is not None:
        return "run"
    if event.get("eventType") is not None:
        raise ValueError("run: is missing, and an event with an eventType is about a run")
    if event.get("job") is not None:
        return "job"
    if event.get("dataset") is not None:
        return "dataset"
    words = "not an OpenLineage event: it has no run, no job and no dataset"
    if "event_id" in event:
        words += "; a message of our own format goes to /v1/messages, or to ingest without --from"
    raise ValueError(words)


def type_of(event: Mapping[str, Any]) -> tuple[str, tuple[str, str] | None]:
    """Return the type of a run's event, and the code and detail of a problem where it is not known: it is OTHER then.

    An event without a type is OTHER, too.
    """
    given = event.get("eventType")
    word = given.upper() if isinstance(given, str) else ""
    if word in _TYPES:
        return word, None
    what = "is missing" if given is None else f"{clipped(str(given))} is not known"
    detail = f"eventType {what}, so that the event ends no run: use {', '.join(_TYPES)}"
    return "OTHER", (UNKNOWN_TYPE, detail)


def validated(event: Mapping[str, Any], kind: Kind) -> AnyEvent:
    """Return the event in an object; pydantic's ValidationError where a name or the time is missing."""
    return _MODELS[kind].model_validate(event)


def odd_keys(part: Any, where: str = "") -> Iterator[str]:
    """Yield, in words, each unknown key in a part, and in the parts inside it, that resembles a field that is missing.

    Producers add fields of their own: a key that resembles none is not named, nor is a standard one like ``_producer``.
    """
    if isinstance(part, Part):
        fields = type(part).model_fields
        present = part.model_fields_set | (part.model_extra or {}).keys()
        unknown = [name for name in part.model_extra or () if not name.startswith("_")]
        for name, near in misspelled(unknown, fields.keys(), present):
            yield f"{where}{name}: there is no such key{meaning(near)}"
        for name in fields:
            yield from odd_keys(getattr(part, name), f"{where}{name}.")
    elif isinstance(part, Mapping):
        for name, each in part.items():
            yield from odd_keys(each, f"{where}{name}.")
    elif isinstance(part, list):
        for number, each in enumerate(part):
            yield from odd_keys(each, f"{where}{number}.")
