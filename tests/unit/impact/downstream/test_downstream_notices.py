"""Whom to tell of a release, and of what."""

from __future__ import annotations

from dataclasses import replace

from reports import BOARD, SALES, finding, reader, report, story, task

from lineage_tt.governance.permissions.notices import Item, Notice
from lineage_tt.impact.downstream.notices import notices_of, release_id
from lineage_tt.impact.policy import DENIED, RULE
from lineage_tt.impact.report import ADDITIVE, BREAKING, NONE, POTENTIALLY, UNKNOWN, LabelReach, SignedEdge
from lineage_tt.model.answers import FactAsOf


def fact(node: str, key: str, value: str) -> FactAsOf:
    """Return a fact in force."""
    return FactAsOf(node, key, value, "fact", node, 1, 0, None)


def test_an_owner_hears_of_all_that_concerns_what_they_own() -> None:
    """By the fact ``owner`` or a grant ``own`` of the node or its dataset, or as the report names them; each once."""
    made = report(
        [task("sales", BREAKING, "columns removed: x", writes=(SALES,))],
        [finding(subject=f"{SALES}#x", reader="r"), finding(subject=f"{SALES}#x", reader="q")],
        [reader(BOARD, POTENTIALLY, SALES, "n:m", BOARD, tasks=("board",), owners=("çem",))],
    )

    found, unowned = notices_of(made, [fact(SALES, "owner", "ana"), fact(f"{SALES}#x", "grant:bo", "own"),
                                       fact(SALES, "grant:dan", "read")])  # fmt: skip

    about = Item("impact", f"{SALES}#x", f"breaking: stale-reader of {SALES}#x")
    assert found == [
        Notice("ana", (Item("impact", SALES, "breaking: sales (update): columns removed: x"), about)),
        Notice("bo", (about,)),
        Notice("çem", (Item("impact", BOARD, "potentially breaking: it is downstream of the release, 2 steps away, "
                                             "by board"),)),
    ]  # fmt: skip
    assert unowned == 0


def test_tasks_on_the_way_are_counted_beyond_five() -> None:
    """The notice named five as if there were no more."""
    made = report(readers=[reader(BOARD, POTENTIALLY, BOARD, tasks=tuple("abcdefg"), owners=("ana",))])

    (notice,), _ = notices_of(made, [])

    assert notice.items[0].text.endswith("by a, b, c, d, e and 2 more")


def test_what_nobody_owns_is_counted() -> None:
    """So that the command can say what reached no one."""
    made = report([task("t", UNKNOWN, writes=(SALES, "n:b"))], readers=[reader(BOARD, tasks=())])

    found, unowned = notices_of(made, [fact(SALES, "owner", "ana")])

    assert [(each.person, len(each.items)) for each in found] == [("ana", 1)]
    assert found[0].items[0].text == "unknown: t (update): it changes"
    assert unowned == 2


def test_what_is_harmless_or_allowed_is_sent_to_nobody() -> None:
    """Additive and none, and what the allow-list lets pass."""
    made = report(
        [task("t", ADDITIVE, writes=(SALES,)), task("u", NONE, writes=(SALES,))],
        [finding(allowed="ok"), finding(class_=ADDITIVE), finding(RULE, ADDITIVE)],
    )

    assert notices_of(made, [fact(SALES, "owner", "ana")]) == ([], 0)


def test_rules_rights_and_labels_are_named_as_such() -> None:
    """A violation and a denied source are violations, a label says where it comes from."""
    label = LabelReach("pii", "hive:ods.a#mail", f"{SALES}#mail", (), ("ana",))
    made = report((), [finding(RULE, POTENTIALLY), finding(DENIED, POTENTIALLY, owners=("ana",))], labels=[label])

    found, unowned = notices_of(made, [])

    assert found == [Notice("ana", (
        Item("label", f"{SALES}#mail", "would have pii, from hive:ods.a#mail"),
        Item("violation", SALES, f"potentially breaking: denied-source of {SALES}"),
    ))]  # fmt: skip
    assert unowned == 1


def test_a_release_has_one_id_wherever_it_is_predicted_alike() -> None:
    """Its moment, tasks and predicted edges make it; words, readers and their order do not."""
    made = story()
    same = replace(made, tasks=tuple(replace(each, reasons=("else",)) for each in reversed(made.tasks)), readers=())
    later = replace(made, effective_at="2024-06-01T00:00:01Z")
    edge = SignedEdge(1, "n:a", "n:b", "DIRECT", "IDENTITY", "", 5, None)
    wider = replace(made, tasks=(made.tasks[0], replace(made.tasks[1], predicted=(edge,))))

    assert release_id(made) == release_id(same)
    assert len({release_id(each) for each in (made, later, wider, report())}) == 4
