"""A release under governance.toml: labels that newly arrive, rules that are newly violated, sources that are denied."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from layer_rules import RULES
from reports import report, task

from lineage_tt.curation.statements import annotate
from lineage_tt.governance.config import Config
from lineage_tt.governance.governance import Governance
from lineage_tt.impact.governing import as_principal, under_rules
from lineage_tt.impact.policy import Policy
from lineage_tt.impact.report import (
    BREAKING,
    POTENTIALLY,
    DerivedChange,
    EdgeChange,
    Report,
    SignedEdge,
)
from lineage_tt.model.times import parse_instant
from lineage_tt.store import Store
from lineage_tt.testing import task_change

START, AT = "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z"
NOW = parse_instant(AT)
MAIL, NAME, CONTACT, BOARD = "hive:ods.users#mail", "hive:ods.users#name", "hive:ads.report#contact", "bi:board/17#c"
CLEAN = ("hive:dw.people#id", CONTACT)


@pytest.fixture(scope="module")
def governance(tmp_path_factory: pytest.TempPathFactory) -> Governance:
    """A store where clean people feed a report, and that a board; addresses are secret."""
    store = Store.create(tmp_path_factory.mktemp("governing") / "s")
    store.append([
        task_change("people", "online", START, [("hive:ods.users#id", "hive:dw.people#id"),
                                             (MAIL, "hive:dw.people#m")]),
        task_change("report", "online", START, [CLEAN]),
        task_change("board", "online", START, [(CONTACT, BOARD)]),
    ])  # fmt: skip
    annotate(store, MAIL, "label", ["pii", "secret"], at=START)
    annotate(store, NAME, "label", ["name"], at=START)
    annotate(store, "bi:board/17", "owner", ["mei"], at=START)
    annotate(store, "bi:board/17", "priority", ["P0"], at=START)
    annotate(store, MAIL, "grant:ops", ["own"], at=START)
    annotate(store, NAME, "grant:crm", ["own"], at=START)
    annotate(store, "hive:dw.people", "grant:marketing", ["read"], at=START)
    return store.governance(Config(tomllib.loads(RULES)))


def edge(
    sign: int, source: str, target: str, expression: str = "", since: int = NOW, until: int | None = None
) -> SignedEdge:
    """Return a predicted change of an edge."""
    subtype = "TRANSFORMATION" if expression else "IDENTITY"
    return SignedEdge(sign, source, target, "DIRECT", subtype, expression, since, until)


def release(governance: Governance, *predicted: SignedEdge, **more: Any) -> Report:
    """Return the report of a release of ``report`` that replaces what it reads."""
    basis = governance.basis(AT).to_json()
    changed = task("report", POTENTIALLY, writes=("hive:ads.report",), predicted=predicted)
    return report([changed], basis=basis, effective_at=AT, **more)


def labels(made: Report) -> set[tuple[str, str, tuple[str, ...]]]:
    """Return the labels that newly reach nodes, with their ways."""
    return {(each.label, each.node, each.path) for each in made.labels}


LEAK = edge(-1, *CLEAN), edge(1, MAIL, CONTACT)


def test_what_a_gate_cannot_find_is_noted(governance: Governance) -> None:
    """A principal that no grant names, and rules of layers where there are none: both gates passed without a word."""
    quiet = as_principal(release(governance), governance, Policy(), "ops")
    unknown = as_principal(release(governance), governance, Policy(), "obs")
    without = Governance(governance.store, governance.points.graph)
    asked = under_rules(release(governance), without, Policy(fail_on=("rules",)), None)

    assert quiet.notes == ()
    assert unknown.notes == ("no grant at this point names the principal 'obs'; did you mean ops?",)
    assert any(note.startswith("not checked, as governance.toml sets no layers: ") for note in asked.notes)
    assert under_rules(release(governance), without, Policy(), None).notes == ()


def test_a_label_arrives_with_its_way_its_owner_and_what_is_urgent(governance: Governance) -> None:
    """At the report and at the board after it, once for a dataset; labels of the report before are replaced."""
    judged = under_rules(release(governance, *LEAK), governance, Policy(("labels",)), None)

    assert labels(judged) == {
        (label, node, (MAIL, CONTACT, BOARD)[:place])
        for label in ("pii", "secret")
        for place, node in ((2, CONTACT), (3, BOARD))
    }
    board = next(each for each in judged.labels if each.node == BOARD)
    assert (board.origin, board.owners, board.priority) == (MAIL, ("mei",), "P0")
    assert judged.counts["labels"] == 4
    assert judged.gate.tripped == ("labels: pii, secret newly reach datasets",)


@pytest.mark.parametrize(
    "predicted",
    [
        (edge(1, MAIL, CONTACT, "sha2(mail, 256)"),),
        (edge(1, MAIL, CONTACT, since=NOW + 1),),
        (edge(1, MAIL, CONTACT, since=NOW - 9, until=NOW),),
        (edge(1, MAIL, CONTACT), edge(-1, MAIL, CONTACT)),
        (edge(1, MAIL, "hive:dw.people#m", "lower(mail)"),),
        (),
    ],
    ids=["hashed", "later", "over", "taken back", "had it", "nothing"],
)
def test_what_does_not_hold_at_the_deployment_brings_no_label(governance: Governance, predicted) -> None:
    """Neither does a function at which labels stop, nor a way to a node that has the label already."""
    assert under_rules(release(governance, *predicted), governance, Policy(), None).labels == ()


def test_only_the_label_that_is_new_is_named_once_for_a_dataset(governance: Governance) -> None:
    """A column that is personal already gets a name, too; a second column of its table gets it as well."""
    predicted = edge(1, NAME, "hive:dw.people#m", "concat(mail, name)"), edge(1, NAME, "hive:dw.people#n")

    judged = under_rules(release(governance, *predicted), governance, Policy(), None)

    assert [(each.label, each.origin, each.node.partition("#")[0]) for each in judged.labels] == [
        ("name", NAME, "hive:dw.people")
    ]


def test_readers_whose_edges_follow_count_as_the_release_does(governance: Governance) -> None:
    """A star that widens brings the label to a dataset that nobody edits; what it reads no more does not."""
    come = EdgeChange("added", MAIL, "hive:dw.wide#mail", None, "DIRECT IDENTITY")
    gone = EdgeChange("removed", CONTACT, BOARD, "DIRECT IDENTITY", None)
    derived = DerivedChange("wide", (come,)), DerivedChange("board", (gone,))

    judged = under_rules(release(governance, *LEAK, derived=derived), governance, Policy(), None)

    assert {each.node for each in judged.labels} == {CONTACT, "hive:dw.wide#mail"}


def test_a_rule_that_is_newly_violated_is_a_finding_of_the_task_that_writes(governance: Governance) -> None:
    """The report skips a layer then; what was there before the release is not news."""
    judged = under_rules(release(governance, *LEAK), governance, Policy(("rules",)), None)

    skips = [each for each in judged.findings if each.reason.startswith("layer_skip: hive:ads.report ")]
    assert [(each.kind, each.class_, each.task, each.subject) for each in skips] == [
        ("rule-violation", POTENTIALLY, "report", "hive:ads.report")
    ]
    assert judged.counts["findings"] == len(judged.findings)
    before = under_rules(release(governance), governance, Policy(("rules",)), None)
    assert (before.findings, before.gate.passed) == ((), True)


def test_a_principal_is_refused_the_sources_it_may_not_read(governance: Governance) -> None:
    """By dataset, with its columns and the owners of any of them; not what it may read, nor what others read."""
    predicted = *LEAK, edge(1, NAME, CONTACT), edge(1, *CLEAN, "upper(id)")

    judged = as_principal(release(governance, *predicted), governance, Policy(("permissions",)), "marketing")

    (denied,) = judged.findings
    assert (denied.kind, denied.class_, denied.task, denied.subject) == (
        "denied-source", POTENTIALLY, "report", "hive:ods.users",
    )  # fmt: skip
    assert denied.reason == "marketing may not read hive:ods.users (mail, name)"
    assert denied.owners == ("crm", "ops")
    assert judged.gate.tripped == ("permissions: hive:ods.users may not be read",)
    assert as_principal(release(governance), governance, Policy(("permissions",)), "marketing").findings == ()


def test_many_denied_columns_are_cut(governance: Governance) -> None:
    """Eight are named and the others counted; a source that is read as a whole has none."""
    many = [edge(1, f"hive:ods.users#c{place}", CONTACT) for place in range(9)]

    (denied,) = as_principal(release(governance, *many), governance, Policy(), "marketing").findings
    (whole,) = as_principal(
        release(governance, edge(1, "hive:ods.users", CONTACT)), governance, Policy(), "marketing"
    ).findings

    assert denied.reason == "marketing may not read hive:ods.users (c0, c1, c2, c3, c4, c5, c6, c7 and 1 more)"
    assert whole.reason == "marketing may not read hive:ods.users"


def test_what_the_report_found_before_is_kept(governance: Governance) -> None:
    """Rules and rights add to the findings, and the worst class stays."""
    first = release(governance, *LEAK)
    broken = report([task("report", BREAKING, writes=("hive:ads.report",), predicted=LEAK)],
                    basis=first.basis, effective_at=AT)  # fmt: skip

    judged = as_principal(under_rules(broken, governance, Policy(), None), governance, Policy(), "marketing")

    assert judged.verdict == BREAKING
    assert {each.kind for each in judged.findings} == {"rule-violation", "denied-source"}
