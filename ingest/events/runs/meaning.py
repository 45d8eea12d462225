"""From the events of a run to their claims about its task and about datasets: a function of their content alone.

Equal events give equal claims whatever the store holds, so that the order of delivery does not matter, and each
combination of shapes is converted once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

import orjson

from ingest.events.openlineage import checks, datasets, edges, queries, sql, statement
from ingest.events.openlineage.merging import Dataset, JobName, Picture, dataset_of, merged
from ingest.events.openlineage.spec.models import Kind
from ingest.events.policy import Policies
from ingest.events.runs import contents
from ingest.events.trino import naming
from ingest.resolve.resolver import SqlResolver, parser_name
from lineage_tt.model.facts import task_node
from lineage_tt.model.messages import Lineage
from lineage_tt.write.catalog.reresolve import TRANSIENT

#: Raised by hand when a change of the conversion changes what events claim.
CONVERSION: Final = 9
#: How much a claim counts: facts alone, the lineage of a run, declared lineage.
FACTS, RUN, DECLARED = 0, 1, 2
#: Facets of jobs that are read into edges and facts, and so need not be kept beside them.
_READ: Final = frozenset({"lineage", "ownership", "documentation", "tags", queries.UNRESOLVED})
#: The same of datasets.
_READ_OF_DATASETS: Final = frozenset(
    {"columnLineage", "datasetType", "documentation", "lifecycleStateChange", "lineage", "ownership", "schema",
     "symlinks", "tags", checks.ASSERTIONS}
)  # fmt: skip
#: The longest facets of a job, and of its datasets, that are kept with its task's message, in bytes of JSON.
MAX_ABOUT: Final = 64 * 1024


class Combination(NamedTuple):
    """What is to be converted: an event's kind, the job or the dataset it is about, and bodies in order.

    The kind ``failed`` is a run that failed: it claims the results of its checks and nothing else.
    """

    kind: Kind | Literal["failed"]
    name: JobName
    bodies: Sequence[Mapping[str, Any]]


class Claim(NamedTuple):
    """A claim that a subject has this content; ``weight`` is FACTS, RUN or DECLARED."""

    subject: str
    fingerprint: bytes
    weight: int


@dataclass(slots=True)
class Meaning:
    """What events claim, about which task, with the contents by fingerprint, and what is kept beside them as JSON.

    ``rule`` (the policy's ``edges``) and ``unseen`` (its runs and time) say how the task's runs add up.
    """

    task_id: str | None
    claims: list[Claim] = field(default_factory=list)
    contents: dict[bytes, bytes] = field(default_factory=dict)
    about: bytes = b"{}"
    rule: str = "replace"
    unseen: tuple[int | None, int | None] = (None, None)
    #: Whether another conversion would give the same; not where a worker that reads SQL died or ran out of time.
    is_final: bool = True


def key_of(combination: Combination, shapes: Sequence[bytes], policies: Policies) -> bytes:
    """Return a key of all that a meaning depends on."""
    job = combination.name
    head = f"{CONVERSION}\0{parser_name()}\0{combination.kind}\0{job.namespace}\0{job.name}\0".encode()
    return hashlib.blake2b(head + policies.digest + b"".join(shapes), digest_size=contents.DIGEST).digest()


def meanings(combinations: Sequence[Combination], policies: Policies, resolver: SqlResolver) -> list[Meaning]:
    """Return what each claims; SQL that has to be read is read for all of them together."""
    pictures = [None if each.kind == "dataset" else merged(each.name, each.bodies) for each in combinations]
    with_sql = [
        picture
        for picture, each in zip(pictures, combinations, strict=True)
        if picture is not None and each.kind != "failed" and statement.has_sql(picture)
    ]
    read = sql.parsed([(picture, policies.of(picture).dialect) for picture in with_sql], resolver)
    parsed = {id(picture): lineage for picture, lineage in zip(with_sql, read, strict=True)}
    return [
        _of_dataset(dataset_of(each.bodies[-1]), policies)
        if picture is None
        else _of_job(picture, each.kind, policies, parsed.get(id(picture)))
        for each, picture in zip(combinations, pictures, strict=True)
    ]


def _of_job(picture: Picture, kind: Kind | Literal["failed"], policies: Policies, parsed: Lineage | None) -> Meaning:
    policy = policies.of(picture)
    task_id = policy.task_of(picture)
    if naming.is_read(picture):
        return Meaning(task_id)
    result = Meaning(task_id, rule=policy.edges, unseen=(policy.unseen.runs, policy.unseen.time))
    result.about = _about(picture, parsed, policies)
    result.is_final = parsed is None or not any(problem.code in TRANSIENT for problem in parsed.problems)
    for (_, about, key), content in checks.of_run(picture, task_node(task_id)):
        _claim_facet(result, about, key, {("fact", about, key): content}, weight=RUN)
    if kind == "failed":
        return result
    for node, members in datasets.other_names(picture):  # of what the run drops, too
        _claim_facet(result, node, "symlinks", members, weight=RUN)
    stated = statement.statement_of(picture, task_id, policies.task_of, parsed)
    for node in stated.dropped:
        _claim_facet(result, node, *datasets.columns_dropped(node), weight=RUN)
    if stated.is_empty or (kind == "run" and policy.edges == "declared"):
        return result
    fingerprint, packed = contents.pack_statement(stated)
    weight = DECLARED if kind == "job" else RUN
    result.contents[fingerprint] = packed
    result.claims.append(Claim(contents.task_subject(task_id), fingerprint, weight if stated.says_lineage else FACTS))
    return result


def _of_dataset(dataset: Dataset, policies: Policies) -> Meaning:
    """Return what a dataset event claims; the lineage that it states belongs to a task of the dataset's own."""
    result = Meaning(None)
    for name, members in datasets.facets_of(dataset):
        _claim_facet(result, dataset.node, name, members, weight=DECLARED)
    for (_, about, key), content in checks.of_dataset(dataset.node, dataset.facets):
        _claim_facet(result, about, key, {("fact", about, key): content}, weight=DECLARED)
    reported = edges.of_dataset(dataset.node, dataset.facets, policies.task_of, JobName("dataset", dataset.node))
    if reported.says or _withdraws(dataset.facets):
        result.task_id = f"dataset/{dataset.node}"
        lineage = Lineage(edges=sorted(reported.edges), ordered=True, problems=reported.problems)
        lineage.coverage = "partial" if reported.problems else "complete"
        stated = statement.Statement(result.task_id, lineage, sorted(reported.facts), True)
        fingerprint, packed = contents.pack_statement(stated)
        result.contents[fingerprint] = packed
        result.claims.append(Claim(contents.task_subject(result.task_id), fingerprint, DECLARED))
    return result


def _withdraws(facets: Mapping[str, Any]) -> bool:
    lineage_facets = (facets.get(name) for name in ("lineage", "columnLineage"))
    return any(isinstance(facet, Mapping) and facet.get("_deleted") is True for facet in lineage_facets)


def _claim_facet(
    meaning: Meaning, node: str, name: str, members: Mapping[datasets.Member, datasets.Content], weight: int
) -> None:
    named: dict[str, bytes] = {}
    for member, content in members.items():
        fingerprint, packed = contents.pack_content(content)
        meaning.contents[fingerprint] = packed
        named[contents.member_name(member)] = fingerprint
    fingerprint, packed = contents.pack_members(named)
    meaning.contents[fingerprint] = packed
    meaning.claims.append(Claim(contents.facet_subject(name, node), fingerprint, weight))


def _about(picture: Picture, parsed: Lineage | None, policies: Policies) -> bytes:
    """Return what is kept with a task's message beside edges and facts."""
    about: dict[str, Any] = {"job": dict(picture.job._asdict())}
    if picture.producer:
        about["producer"] = picture.producer
    if picture.parent is not None:
        about["parent"] = policies.task_of(picture.parent)
    if parsed is not None:
        agreement = statement.agreement(picture, policies.task_of, parsed)
        if agreement:
            about["agreement"] = agreement
    facets = {name: facet for name, facet in picture.facets.items() if name not in _READ}
    beside = {
        node: others
        for node, dataset in sorted({**picture.inputs, **picture.outputs}.items())
        if (others := {name: facet for name, facet in dataset.facets.items() if name not in _READ_OF_DATASETS})
    }
    whole = {"facets": facets} | ({"datasets": beside} if beside else {})
    for more in (whole, {"facets": facets, "left_out": ["datasets"]}):
        packed = orjson.dumps({**about, **more})
        if len(packed) <= MAX_ABOUT:
            return packed
    return orjson.dumps({**about, "left_out": sorted(facets)})
