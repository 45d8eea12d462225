"""``/v1/labels``: the same as the command says, from the graph in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from services import Served, problem, serving

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.testing import task_change

DAYS = [f"2026-0{month}-01T00:00:00Z" for month in range(1, 7)]
USERS, BOARD = "db:users#mail", "bi:board#contact"


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service over users that feed a board, with a label since February; its rules have a strict scene."""
    folder = tmp_path_factory.mktemp("labels")
    store = Store.create(folder / "s")
    edges = [(USERS, BOARD), (USERS, "bi:other", "INDIRECT", "FILTER")]
    store.append([task_change("load", "online", DAYS[0], edges)])
    annotate(store, USERS, "label", ["pii", "gdpr"], at=DAYS[1])
    rules: Path = folder / "rules.toml"
    rules.write_text('[labels.scenes.strict]\ncarry = ["INDIRECT"]\n', encoding="utf-8")
    with serving(folder / "s", "--read-only", "--rules", str(rules)) as served:
        yield served


def test_labels_of_a_node_and_of_all(labelled: Served) -> None:
    """With the way and what brought it; in pages; in another scene."""
    point = {"valid_at": DAYS[3]}
    one = labelled.get("/v1/labels", params={"node": BOARD, **point}).json()
    assert [(each["label"], each["source"], each["since"]) for each in one["result"]["labels"]] == [
        ("gdpr", USERS, DAYS[1]), ("pii", USERS, DAYS[1]),
    ]  # fmt: skip
    page = labelled.get("/v1/labels", params={"limit": "1", **point}).json()
    assert (page["result"], page["next_offset"]) == ([{"node": BOARD, "labels": ["gdpr", "pii"]}], 1)
    assert page["completeness"]["complete"] is True
    strict = labelled.get("/v1/labels", params={"scene": "strict", "label": "pii", **point}).json()
    assert [row["node"] for row in strict["result"]] == ["bi:other", USERS]


def test_the_feed_has_events_of_labels_beside_those_of_changes(labelled: Served) -> None:
    """Where asked for, as JSON and as a stream, whose id comes with the last event of a version; per scene."""
    plain = labelled.get("/v1/changes").json()["result"]
    both = labelled.get("/v1/changes", params={"labels": "true"}).json()["result"]
    assert [event for event in both if "labels" not in event["type"]] == plain
    (event,) = [event for event in both if "labels" in event["type"]]
    assert [(c["node"], c["gained"]) for c in event["data"]["changes"]] == [
        (BOARD, ["gdpr", "pii"]), (USERS, ["gdpr", "pii"]),
    ]  # fmt: skip
    strict = labelled.get("/v1/changes", params={"labels": "true", "scene": "strict"}).json()["result"]
    assert [c["node"] for c in strict[-1]["data"]["changes"]] == ["bi:other", USERS]
    assert strict[-1]["id"] != event["id"]
    problem(labelled.get("/v1/changes", params={"labels": "true", "scene": "none"}), 404, "unknown-scene")
    lines = streamed(labelled, "/v1/changes?labels=true", events=3)
    assert [line for line in lines if not line.startswith("data")] == [
        "id: 1", "event: lineage.changed", "event: lineage.changed", "id: 2", "event: lineage.labels.changed",
    ]  # fmt: skip


def streamed(served: Served, path: str, events: int) -> list[str]:
    """The lines of the first events of a stream, comments and blank ones left out."""
    lines: list[str] = []
    accept = {"accept": "text/event-stream"}
    with (
        httpx.Client(base_url=served.base, timeout=30) as client,
        client.stream("GET", path, headers=accept) as answer,
    ):
        for line in answer.iter_lines():
            lines += [line] if line and not line.startswith(":") else []
            if sum(each.startswith("data") for each in lines) == events:
                break
    return lines


def test_where_labels_differ_and_where_a_level_falls(labelled: Served) -> None:
    """Between January and March both nodes gained two labels; without levels nothing falls."""
    body = labelled.get("/v1/labels/diff", params={"from": DAYS[0], "to": DAYS[2]}).json()
    assert [(each["node"], each["before"], len(each["after"])) for each in body["result"]] == [
        (BOARD, [], 2), (USERS, [], 2),
    ]  # fmt: skip
    assert labelled.get("/v1/labels/scan").json()["result"] == []


def test_rules_are_checked_at_a_point(labelled: Served) -> None:
    """Two tables that nobody describes; by severity; nothing new since the same point."""
    point = {"valid_at": DAYS[3]}
    body = labelled.get("/v1/rules", params=point).json()
    assert ("undocumented_models", "info", BOARD.partition("#")[0]) in {
        (each["rule"], each["severity"], each["subject"]) for each in body["result"]
    }
    assert labelled.get("/v1/rules", params={"severity": "error", **point}).json()["result"] == []
    assert labelled.get("/v1/rules", params={"since": DAYS[3], **point}).json()["result"] == []


def test_what_is_not_there_is_refused(labelled: Served, sample_files: Served) -> None:
    """An unknown node 404, an unknown scene 400, a service without graph 400."""
    problem(labelled.get("/v1/labels", params={"node": "db:nowhere#x"}), 404, "unknown-node")
    problem(labelled.get("/v1/labels", params={"scene": "x"}), 404, "unknown-scene")
    problem(labelled.get("/v1/labels/diff", params={"from": "soon"}), 400, "invalid-request")
    problem(sample_files.get("/v1/labels"), 400, "invalid-request")


def test_notes_say_why_an_answer_is_empty(labelled: Served) -> None:
    """As the command does on standard error: nothing is held yet, no label is stated, no level or layer is set."""
    early = labelled.get("/v1/labels", params={"valid_at": "2025-01-01T00:00:00Z"}).json()
    assert early["result"] == []
    assert [note.split(":")[0] for note in early["notes"]] == [
        "the store holds nothing at this point", "no label is stated at this point",
    ]  # fmt: skip
    assert labelled.get("/v1/labels", params={"valid_at": DAYS[3]}).json()["notes"] == []
    assert (
        labelled.get("/v1/labels/scan", params={"valid_at": DAYS[3]}).json()["notes"][0].startswith("there are no lev")
    )
    assert (
        labelled.get("/v1/rules", params={"valid_at": DAYS[3]}).json()["notes"][0].startswith("not checked, as gover")
    )
    for path in ("heat", "quality", "redundancy"):
        said = labelled.get(f"/v1/{path}", params={"valid_at": "2025-01-01T00:00:00Z"}).json()
        assert said["notes"][0].startswith("the store holds nothing"), path


def test_filters_without_effect_have_a_note(labelled: Served) -> None:
    """A label that nobody states, with the nearest; filters beside a node, which shows all labels of it."""
    point = {"valid_at": DAYS[3]}
    body = labelled.get("/v1/labels", params={"label": "PII", **point}).json()
    assert (body["result"], body["notes"]) == ([], ["no node states the label 'PII' at this point; did you mean pii?"])
    beside = labelled.get("/v1/labels", params={"node": BOARD, "label": "pii", "offset": "500", **point}).json()
    assert [note.partition(":")[0] for note in beside["notes"]] == [
        "label has no effect with node", "offset has no effect with node",
    ]  # fmt: skip
    assert len(beside["result"]["labels"]) == 2
