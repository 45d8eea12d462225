"""Notices: what each owner hears of since a point, once, and what concerns nobody's."""

from __future__ import annotations

from ruled import edges_of, fact

from lineage_tt.governance.labels.following import Changed
from lineage_tt.governance.permissions.notices import NOTICE, Item, Notice, event_of, failing, notices
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.rules.violation import Violation
from lineage_tt.model.answers import Basis, EdgeAsOf

FAILED, PASSED = '{"status": "failed"}', '{"status": "passed"}'
CHAIN = edges_of([("t", "db:a", "db:b"), ("u", "db:b", "db:c"), ("v", "db:x", "db:y")])
NOTHING = plain_point(CHAIN)


def violation(subject: str, allowed: str | None = None) -> Violation:
    """A violation of a rule."""
    return Violation("two_writers", "error", subject, (), "2 tasks write it", (), (), allowed)


def test_an_owner_hears_of_violations_that_nothing_allows() -> None:
    """By the fact ``owner`` or a grant to own, each person once; what nobody owns is counted."""
    point = plain_point(CHAIN, [fact("db:a", "owner", "zoe"), fact("db:a", "grant:ana", "own"),
                                fact("db:b", "grant:eve", "read")])  # fmt: skip
    given = [violation("db:a"), violation("db:a"), violation("db:b")]
    given.append(violation("db:a", "moves")._replace(rule="cycle"))
    item = Item("violation", "db:a", "two_writers: 2 tasks write it")

    assert notices(point, NOTHING, given, []) == ([Notice("ana", (item,)), Notice("zoe", (item,))], 1)


def test_an_owner_of_a_dataset_hears_of_labels_that_come_to_its_columns() -> None:
    """Of those that came, in order; where labels only went there is nothing to hear."""
    point = plain_point(CHAIN, [fact("db:a", "owner", "ana")])
    changed = [Changed("db:a#c", ("old", "pii"), ("pii", "secret", "gdpr")), Changed("db:a#d", ("pii",), ())]

    assert notices(point, NOTHING, [], changed) == (
        [Notice("ana", (Item("label", "db:a#c", "has gdpr, secret now"),))], 0,
    )  # fmt: skip


def test_owners_of_what_is_made_of_it_hear_of_a_check_that_fails_now() -> None:
    """At any distance downstream, not upstream nor elsewhere; the check's own node has no owner here."""
    owners = [fact(f"db:{name}", "owner", name) for name in "abcy" if name != "b"]
    point = plain_point(CHAIN, [*owners, fact("db:b", "check:unique", FAILED)])

    assert notices(point, NOTHING, [], []) == (
        [Notice("c", (Item("check", "db:b", "unique fails, and db:c is made of it"),))], 1,
    )  # fmt: skip


def test_a_check_of_a_column_reaches_what_that_column_is_in() -> None:
    """Not what another column of the same dataset makes; what decides over a whole table reaches what that makes."""
    edges = [EdgeAsOf("t", f"db:a#{c}", f"db:{d}#{c}", "DIRECT", "IDENTITY", "", 1, 0, None) for c, d in ("xb", "yc")]
    edges.append(EdgeAsOf("f", "db:a#x", "db:d", "INDIRECT", "FILTER", "", 1, 0, None))
    edges.append(EdgeAsOf("u", "db:d#z", "db:e#z", "DIRECT", "IDENTITY", "", 1, 0, None))
    point = plain_point(edges, [fact("db:b", "owner", "b"), fact("db:c", "owner", "c"), fact("db:e", "owner", "e"),
                                fact("db:a#x", "check:not_null", FAILED)])  # fmt: skip
    found, unowned = notices(point, plain_point(edges), [], [])

    assert ([each.person for each in found], unowned) == (["b", "e"], 1)


def test_a_check_that_failed_before_is_no_news() -> None:
    """One that could not run then and failed now is none either; a warning never is; in a circle each hears once."""
    before = plain_point(CHAIN, [fact("db:a", "check:one", FAILED), fact("db:a", "check:two", '{"status": "error"}')])
    now = [fact("db:a", "check:one", FAILED), fact("db:a", "check:two", FAILED), fact("db:a", "owner", "ana"),
           fact("db:a", "check:three", '{"status": "warned"}')]  # fmt: skip
    assert notices(plain_point(CHAIN, now), before, [], []) == ([], 0)

    circle = edges_of([("t", "db:a", "db:b"), ("u", "db:b", "db:a")])
    facts = [fact("db:a", "check:one", FAILED), fact("db:a", "owner", "ana"), fact("db:b", "owner", "ana")]
    ((person, items),), _ = notices(plain_point(circle, facts), plain_point(circle), [], [])
    assert (person, [each.text for each in items]) == ("ana", ["one fails", "one fails, and db:b is made of it"])


def test_a_check_fails_by_its_status_alone() -> None:
    """Failed or not able to run; passed, or written in another form, is none."""
    values = {"a": FAILED, "b": '{"status": "error"}', "c": PASSED, "d": "failed", "e": '["failed"]'}
    facts = [fact(f"db:{name}", "check:unique", value) for name, value in values.items()]

    assert failing([*facts, fact("db:f", "status", FAILED)]) == {("db:a", "unique"), ("db:b", "unique")}


def test_an_event_has_an_id_of_its_point_person_and_release() -> None:
    """So that one that is sent twice is known; its time is that of the basis, also where nothing is stored yet."""
    notice = Notice("ana", (Item("check", "db:a", "one fails"),))
    event = event_of(notice, Basis(2_000_000, 7, 3_000_000), "store")
    announced = event_of(notice, Basis(2_000_000, 0, 0), "store", "v2")

    assert (event["id"], event["type"], event["subject"]) == ("notice-7-2000000-ana", NOTICE, "ana")
    assert event["time"].startswith("1970-01-01T00:00:03")
    assert event["data"]["facts"] == [{"node": "db:a", "key": "check", "before": None, "after": "one fails"}]
    assert (event["data"]["items"], "release" in event["data"]) == (
        [{"kind": "check", "node": "db:a", "text": "one fails"}], False,
    )  # fmt: skip
    assert (announced["id"], announced["data"]["release"]) == ("notice-v2-0-2000000-ana", "v2")
    assert announced["time"].startswith("1970-01-01T00:00:02")
