"""The events of one run put together: what is stated about its job and datasets when all of them are known.

Metadata of a run's events add up, facet by facet: a later facet replaces an earlier one, but all lineage is kept;
``_deleted`` removes a facet. Where a job says that each event is a complete snapshot, only the last one that names
datasets counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import orjson

from ingest.events.openlineage.spec.facets import JobType, Parent, Tags, read
from lineage_tt.model.edges import dataset_node

#: Facets that add up over the events of a run: what one event says of lineage, a later one does not take back.
_ADDING: Final = frozenset({"columnLineage", "lineage"})
_ORDER: Final = {"START": 0, "RUNNING": 1, "OTHER": 2, "COMPLETE": 3, "ABORT": 4, "FAIL": 5}
#: How the address ends that dbt's wrapper gives as the producer.
_OF_DBT: Final = "/integration/dbt"


class JobName(NamedTuple):
    """A job: its namespace and its name in it."""

    namespace: str
    name: str


@dataclass(slots=True)
class Dataset:
    """A dataset and what is stated about it, facets by name."""

    namespace: str
    name: str
    facets: dict[str, Any] = field(default_factory=dict)

    @property
    def node(self) -> str:
        """Its node in the store."""
        return dataset_node(self.namespace, self.name)


@dataclass(slots=True)
class Picture:
    """What the events of one run, one job event or one dataset event say. ``inputs`` and ``outputs`` are by node."""

    job: JobName
    facets: dict[str, Any] = field(default_factory=dict)
    inputs: dict[str, Dataset] = field(default_factory=dict)
    outputs: dict[str, Dataset] = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)
    producer: str = ""

    @property
    def parent(self) -> JobName | None:
        """The job that started the run."""
        facet = read(self.run, "parent", Parent)
        return JobName(facet.job.namespace, facet.job.name) if facet else None

    @property
    def root(self) -> JobName | None:
        """The job at the root of the run."""
        facet = read(self.run, "parent", Parent)
        return JobName(facet.root.job.namespace, facet.root.job.name) if facet and facet.root else None

    @property
    def tags(self) -> dict[str, str]:
        """The tags of the job and of the run."""
        tags = [
            tag for facets in (self.facets, self.run) if (facet := read(facets, "tags", Tags)) for tag in facet.tags
        ]
        return {tag.key: tag.value or "" for tag in tags}

    @property
    def job_type(self) -> JobType:
        """What kind of job it is."""
        return read(self.facets, "jobType", JobType) or JobType()

    @property
    def is_of_dbt(self) -> bool:
        """Whether dbt's wrapper sent it; its older versions say so only as the producer."""
        return (self.job_type.integration or "").upper() == "DBT" or self.producer.rstrip("/").endswith(_OF_DBT)


class EventPoint(NamedTuple):
    """One event of a run: when, of which type, with which shape."""

    at: int
    type: str
    shape: bytes

    @property
    def place(self) -> tuple[int, int, bytes]:
        """The key by which a run's events are sorted, however they arrived."""
        return self.at, _ORDER.get(self.type, 2), self.shape


def merged(job: JobName, bodies: Sequence[Mapping[str, Any]]) -> Picture:
    """Return what the bodies of a run's events say together; they come in order (``EventPoint.place``)."""
    picture = Picture(job)
    for body in bodies:
        _put(picture.facets, body["job"].get("facets"))
        _put(picture.run, body.get("run"))
        picture.producer = body.get("producer") or picture.producer
    emission = picture.job_type.emissionPattern
    if emission is not None and (emission.eventContentMode or "").upper() == "COMPLETE_SNAPSHOT":
        bodies = [body for body in bodies if body["inputs"] or body["outputs"]][-1:]
    for body in bodies:
        _put_datasets(picture.inputs, body["inputs"])
        _put_datasets(picture.outputs, body["outputs"])
    return picture


def dataset_of(body: Mapping[str, Any]) -> Dataset:
    """Return the dataset of a dataset event, its deleted facets included."""
    dataset = body["dataset"]
    return Dataset(dataset["namespace"], dataset["name"], dict(dataset.get("facets") or {}))


def _put_datasets(datasets: dict[str, Dataset], references: Iterable[Mapping[str, Any]]) -> None:
    for each in references:
        dataset = Dataset(each["namespace"], each["name"])
        _put(datasets.setdefault(dataset.node, dataset).facets, each.get("facets"))


def _put(facets: dict[str, Any], updates: Mapping[str, Any] | None) -> None:
    for name, facet in (updates or {}).items():
        if isinstance(facet, Mapping) and facet.get("_deleted") is True:
            facets.pop(name, None)
        else:
            facets[name] = _added(facets.get(name), facet) if name in _ADDING else facet


def _added(before: Any, facet: Any) -> Any:
    """Return two facets of lineage as one that says what both say: lists are joined, objects by key."""
    if isinstance(before, list) and isinstance(facet, list):
        result = {orjson.dumps(each, option=orjson.OPT_SORT_KEYS): each for each in (*before, *facet)}
        return list(result.values())
    if isinstance(before, Mapping) and isinstance(facet, Mapping):
        return {**before, **{name: _added(before.get(name), each) for name, each in facet.items()}}
    return facet
