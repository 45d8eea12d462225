"""What the events of a run claim, whatever the store holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import orjson
import pytest
from run_events import columns_of, dataset, policies

from ingest.events.openlineage.merging import JobName
from ingest.events.policy import Policies
from ingest.events.runs import meaning
from ingest.events.runs.contents import facet_subject, member_name, members_of, task_change, task_subject
from ingest.events.runs.meaning import DECLARED, FACTS, RUN, Combination, Meaning, key_of, meanings
from ingest.resolve.resolver import SqlResolver
from lineage_tt.model.messages import Lineage, Problem

JOB = JobName("etl", "job")


@pytest.fixture(scope="module")
def resolver() -> Iterator[SqlResolver]:
    """Reads SQL in this process."""
    with closing(SqlResolver(0)) as made:
        yield made


def body(*, inputs: Any = (), outputs: Any = (), run: Any = None, producer: str = "", **job: Any) -> dict[str, Any]:
    """What an event says."""
    return {"job": {"facets": job}, "run": run, "producer": producer, "inputs": list(inputs), "outputs": list(outputs)}


def about(name: str = "t", **facets: Any) -> dict[str, Any]:
    """What a dataset event says."""
    return {"dataset": dataset(name, **facets)}


def claimed(
    resolver: SqlResolver, *bodies: dict[str, Any], kind: Any = "run", rules: Policies | None = None
) -> Meaning:  # fmt: skip
    """What a run of these events claims."""
    (found,) = meanings([Combination(kind, JOB, bodies)], rules or Policies(), resolver)
    assert all(each.fingerprint in found.contents for each in found.claims)
    return found


def weights(found: Meaning) -> dict[str, int]:
    """How much each claim counts, by its subject."""
    return {each.subject: each.weight for each in found.claims}


def edges(found: Meaning) -> list[tuple[str, str]]:
    """The edges that the claim about the task holds."""
    (claim,) = (each for each in found.claims if each.subject == task_subject(str(found.task_id)))
    lineage = task_change("e", "t", 0, found.contents[claim.fingerprint]).lineage
    assert lineage is not None
    return [edge[:2] for edge in lineage.edges]


COPIES = body(inputs=[dataset("a")], outputs=[dataset("b", columnLineage=columns_of(y=["a.x"]))])
OWNED = body(ownership={"owners": [{"name": "ada"}]})


def test_a_run_claims_the_lineage_of_its_task(resolver: SqlResolver) -> None:
    """By all its events together."""
    found = claimed(resolver, body(inputs=[dataset("c")]), COPIES)

    assert (found.task_id, weights(found), found.is_final) == ("etl/job", {task_subject("etl/job"): RUN}, True)
    assert edges(found) == [("db:a#x", "db:b#y"), ("db:c", "db:b")]


def test_a_claim_counts_by_what_it_is_of(resolver: SqlResolver) -> None:
    """Facts alone count least, a declaration most; an event that says nothing claims nothing."""
    subject = task_subject("etl/job")

    assert weights(claimed(resolver, OWNED)) == weights(claimed(resolver, OWNED, kind="job")) == {subject: FACTS}
    assert weights(claimed(resolver, COPIES, kind="job")) == {subject: DECLARED}
    assert weights(claimed(resolver, body(), kind="job")) == {}


def test_where_only_declarations_count_a_run_claims_none(resolver: SqlResolver) -> None:
    """How runs add up is noted with what they claim."""
    declared = policies(edges="declared")
    assert weights(claimed(resolver, COPIES, rules=declared)) == {}
    assert weights(claimed(resolver, COPIES, kind="job", rules=declared)) == {task_subject("etl/job"): DECLARED}

    found = claimed(resolver, COPIES, rules=policies(edges="union", unseen={"runs": 2, "time": "1h"}))
    assert (found.rule, found.unseen) == ("union", (2, 3_600_000_000))


CHECKED = dataset("a", dataQualityAssertions={"assertions": [{"assertion": "unique", "success": False, "column": "x"}]})


def test_a_run_that_failed_claims_the_results_of_its_checks(resolver: SqlResolver) -> None:
    """And nothing else; each check of a node is a subject."""
    said = {**COPIES, "inputs": [CHECKED]}
    check = facet_subject("check:unique", "db:a#x")

    assert weights(claimed(resolver, said, kind="failed")) == {check: RUN}
    assert weights(claimed(resolver, said)) == {check: RUN, task_subject("etl/job"): RUN}


def test_a_run_claims_other_names_and_ends_what_it_drops(resolver: SqlResolver) -> None:
    """Of what it drops, too: they hold beyond the run."""
    names = {"symlinks": {"identifiers": [{"namespace": "hive", "name": "dw.b"}]}}
    change = {"lifecycleStateChange": {"lifecycleStateChange": "DROP"}}
    found = claimed(resolver, body(outputs=[dataset("b", **names, **change)]))

    assert weights(found) == {
        facet_subject("symlinks", "db:b"): RUN, facet_subject("schema", "db:b"): RUN, task_subject("etl/job"): RUN,
    }  # fmt: skip


def test_a_query_that_only_reads_claims_nothing(resolver: SqlResolver) -> None:
    """It is an observation of its task."""
    found = claimed(resolver, body(inputs=[dataset("a")], jobType={"integration": "TRINO"}))

    assert (found.claims, found.task_id, found.about) == ([], "etl/job", b"{}")


def test_a_dataset_event_claims_facet_by_facet(resolver: SqlResolver) -> None:
    """Each with its members; one that was deleted has none. Without lineage it is of no task."""
    facets = {"schema": {"fields": [{"name": "x"}]}, "ownership": {"_deleted": True}, **CHECKED["facets"]}
    found = claimed(resolver, about(**facets), kind="dataset")
    members = {each.subject: members_of(found.contents[each.fingerprint]) for each in found.claims}

    assert found.task_id is None
    assert {subject: list(each) for subject, each in members.items()} == {
        facet_subject("schema", "db:t"): [member_name(("dataset", "db:t", ""))], facet_subject("ownership", "db:t"): [],
        facet_subject("check:unique", "db:t#x"): [member_name(("fact", "db:t#x", "check:unique"))],
    }  # fmt: skip
    assert set(weights(found).values()) == {DECLARED}


def test_lineage_of_a_dataset_event_is_that_of_a_task_of_its_own(resolver: SqlResolver) -> None:
    """One that takes it away says that there is none."""
    found = claimed(resolver, about("b", columnLineage=columns_of(y=["a.x"])), kind="dataset")
    assert (found.task_id, weights(found)) == ("dataset/db:b", {task_subject("dataset/db:b"): DECLARED})
    assert edges(found) == [("db:a#x", "db:b#y")]

    assert claimed(resolver, about("b", columnLineage={"fields": {}}), kind="dataset").task_id is None
    for facet in ("lineage", "columnLineage"):
        gone = claimed(resolver, about("b", **{facet: {"_deleted": True}}), kind="dataset")
        assert (gone.task_id, edges(gone)) == ("dataset/db:b", [])


def test_the_last_event_of_a_dataset_counts(resolver: SqlResolver) -> None:
    """Each is a declaration of its own."""
    found = claimed(resolver, about(schema={"fields": []}), about(ownership={"owners": []}), kind="dataset")

    assert list(weights(found)) == [facet_subject("ownership", "db:t")]


def test_sql_says_what_the_event_leaves_open(resolver: SqlResolver) -> None:
    """The texts of several runs are read together, each for its own."""
    texts = ["insert into b select x as y from a", "insert into b select x as z from a"]
    asked = [
        Combination(
            "run", JOB, [body(inputs=[dataset("a")], outputs=[dataset("b")], sql={"query": each, "dialect": "hive"})]
        )
        for each in texts
    ]
    one, failed, other = meanings([asked[0], asked[0]._replace(kind="failed"), asked[1]], Policies(), resolver)

    assert (edges(one), edges(other)) == ([("db:a#x", "db:b#y")], [("db:a#x", "db:b#z")])
    assert failed.claims == []


class Hasty(SqlResolver):
    """Has no time for any text."""

    def __call__(self, waiting: Any, **_: Any) -> list[Lineage]:
        """Return what the pool returns for a text that takes too long."""
        return [Lineage([], "opaque", [Problem("timeout", "more than 5 s of CPU time")]) for _ in waiting]


def test_what_there_was_no_time_for_is_not_final() -> None:
    """Another time it may be read; a run without SQL is final in any case."""
    said = body(inputs=[dataset("a")], outputs=[dataset("b")], sql={"query": "select 1", "dialect": "hive"})
    with closing(Hasty(0)) as hasty:
        assert (claimed(hasty, said).is_final, claimed(hasty, COPIES).is_final) == (False, True)


def test_facets_that_say_nothing_of_lineage_are_kept_beside_it(resolver: SqlResolver) -> None:
    """Of the job and of its datasets; what is read into edges and facts is not there twice."""
    parent = {"parent": {"job": {"namespace": "air", "name": "dag"}}}
    said = body(inputs=[dataset("a", own=1, schema={})], outputs=[dataset("b", tags={})], run=parent, producer="p",
                own={"x": 2}, ownership={}, jobType={"integration": "SPARK"})  # fmt: skip
    found = orjson.loads(claimed(resolver, said).about)

    assert found == {
        "job": {"namespace": "etl", "name": "job"}, "producer": "p", "parent": "air/dag",
        "facets": {"own": {"x": 2}, "jobType": {"integration": "SPARK"}}, "datasets": {"db:a": {"own": 1}},
    }  # fmt: skip
    assert "datasets" not in orjson.loads(claimed(resolver, COPIES).about)


def test_how_far_engine_and_text_agree_is_kept(resolver: SqlResolver) -> None:
    """Where both state columns."""
    said = {**COPIES, "job": {"facets": {"sql": {"query": "insert into b select x as y from a", "dialect": "hive"}}}}

    assert orjson.loads(claimed(resolver, said).about)["agreement"]["both"] == 1
    assert "agreement" not in orjson.loads(claimed(resolver, COPIES).about)


def test_of_facets_that_are_too_long_the_names_are_kept(resolver: SqlResolver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the datasets go first."""
    monkeypatch.setattr(meaning, "MAX_ABOUT", 150)
    long, short = {"own": "x" * 200}, {"own": "x"}
    datasets = orjson.loads(claimed(resolver, body(inputs=[dataset("a", **long)], **short)).about)
    job = orjson.loads(claimed(resolver, body(inputs=[dataset("a", **short)], **long, also=1)).about)

    assert (datasets["facets"], datasets["left_out"]) == (short, ["datasets"])
    assert (job["left_out"], "facets" in job) == (["also", "own"], False)


def test_a_key_is_of_all_that_a_meaning_depends_on() -> None:
    """The kind, the job, the shapes in their order, and the policies."""
    asked, shapes = Combination("run", JOB, ()), [b"a" * 16, b"b" * 16]
    keys = [
        key_of(asked, shapes, Policies()), key_of(asked, shapes[::-1], Policies()),
        key_of(asked, shapes[:1], Policies()),
        key_of(asked._replace(kind="failed"), shapes, Policies()), key_of(asked, shapes, policies(edges="union")),
        key_of(asked._replace(name=JobName("etl", "job2")), shapes, Policies()),
        key_of(asked._replace(name=JobName("etlj", "ob")), shapes, Policies()),
    ]  # fmt: skip

    assert len(set(keys)) == len(keys)
    assert key_of(asked._replace(bodies=[{}]), shapes, Policies()) == keys[0]
