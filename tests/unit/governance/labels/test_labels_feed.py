"""Events of derived labels: what each version changed, under which rules, and when it is looked at."""

from __future__ import annotations

from pathlib import Path

import jsonschema_rs
from labelstories import BOARD, CLIENTS, DAYS, PEOPLE, USERS, chain, governed, label, made, state, told

from lineage_tt import Store
from lineage_tt.events import Event, encode
from lineage_tt.governance.labels.feed import MAX_INSTANTS, digest_of
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import reject_fact
from lineage_tt.schemas import event_schemas
from lineage_tt.testing import task_change


def test_a_label_an_edge_and_a_plan_are_events(tmp_path: Path) -> None:
    """A label is reported with all it reaches, an edge that goes takes it away, a plan has the time of the plan."""
    store = chain(tmp_path)
    stated = label(store, USERS, "pii", at=DAYS[1])
    store.append([task_change("users", "offline", DAYS[3])])
    store.append([task_change("clients", "update", "2027-01-01T00:00:00Z", [(CLIENTS, PEOPLE), (CLIENTS, "db:x#y")])])
    planned = label(store, CLIENTS, "secret", at="2027-02-01T00:00:00Z")

    first, second, third = made(store)

    day = DAYS[1]
    assert first["data"]["version"] == stated
    assert told(first) == [(n, day, ("pii",), ()) for n in (BOARD, PEOPLE, USERS)]
    assert told(second) == [(n, DAYS[3], (), ("pii",)) for n in (BOARD, PEOPLE)]
    assert third["data"]["version"] == planned
    assert told(third) == [
        (n, "2027-02-01T00:00:00Z", ("secret",), ()) for n in (BOARD, CLIENTS, PEOPLE, "db:x#y")
    ]  # fmt: skip
    assert all(jsonschema_rs.is_valid(event_schemas()["lineage-labels-changed"], event) for event in (first, third))


def test_the_same_version_under_the_same_rules_is_the_same_event(tmp_path: Path) -> None:
    """Bytes do not depend on when the event is made; other rules give another id, another name of a scene does not."""
    store = chain(tmp_path)
    early: list[Event] = []
    for number in range(4):
        label(store, (USERS, CLIENTS)[number % 2], *("pii", "secret")[: number // 2 + 1], at=DAYS[number])
        store.append([task_change("users", "update", DAYS[number + 1], [(USERS, f"db:people#c{number}")])])
        feed = governed(Store.open(tmp_path / "s")).label_feed(store.id)  # as a process that follows it
        after = 0 if not early else early[-1]["data"]["version"]
        early += [event for entry in store.changes(after) if (event := feed.event(entry)) is not None]

    late = made(store)

    assert len(early) > 6
    assert [encode(event) for event in early] == [encode(event) for event in late]
    assert len({event["id"] for event in late}) == len(late)
    other = made(store, "[labels]\nlevels = ['pii', 'secret']\n")
    assert not {event["id"] for event in other} & {event["id"] for event in late}
    named = governed(store, "[labels.scenes.calm]\nstop_masking = true\n").label_feed(store.id, "calm")
    assert named.digest == late[0]["data"]["rules"]["digest"]


def test_the_digest_of_rules_is_that_of_what_they_say() -> None:
    """Not of a scene's name; any rule that differs gives another one."""
    scenes = [
        Scene(), Scene(levels=("a", "b")), Scene(levels=("b", "a")), Scene(depth=0), Scene(stop_masking=False),
        Scene(only=("a",)), Scene(stop_nodes=("a",)), Scene(stop_functions=("a",)), Scene(direction="up"),
    ]  # fmt: skip
    digests = [digest_of(scene) for scene in scenes]

    assert len(set(digests)) == len(scenes)
    assert {len(digest) for digest in digests} == {16}
    assert digest_of(Scene("other")) == digests[0]


def test_what_changes_no_label_is_no_event(tmp_path: Path) -> None:
    """Edges before anything has a label, a fact of another key, an edge that carries nothing, a label that is there."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    state(store, USERS, ("owner", ["mei"]), DAYS[0])
    label(store, PEOPLE, "pii")
    store.append([task_change("f", "online", DAYS[0], [(USERS, "db:x", "INDIRECT", "FILTER", "")])])

    assert [event["data"]["version"] for event in made(store)] == [4]


def test_a_late_message_is_looked_at_where_it_begins_and_when_it_was_recorded(tmp_path: Path) -> None:
    """The same change at both is given once; what only the present lost is given with the time it was recorded."""
    store = chain(tmp_path)  # the clock says July
    label(store, USERS, "pii", at=DAYS[0])
    state(store, PEOPLE, reject_fact("pii"), DAYS[4])
    store.append([task_change("direct", "online", DAYS[1], [(USERS, BOARD)])])
    (first, reject, late) = made(store)

    assert told(first) == [(node, DAYS[0], ("pii",), ()) for node in (BOARD, PEOPLE, USERS)]
    assert told(reject) == [(node, DAYS[4], (), ("pii",)) for node in (BOARD, PEOPLE)]
    assert [(node, gained) for node, _, gained, _ in told(late)] == [(BOARD, ("pii",))]
    assert "2026-07-01" in told(late)[0][1]


def test_an_event_names_the_owners_of_a_node_and_of_its_dataset(tmp_path: Path) -> None:
    """Each once, as of the change."""
    store = chain(tmp_path)
    state(store, BOARD, ("owner", ["mei"]), DAYS[0])
    state(store, "bi:board", ("owner", ["ana", "mei"]), DAYS[0])
    label(store, USERS, "pii", "gdpr")
    (event,) = made(store)

    assert {change["node"]: change["owners"] for change in event["data"]["changes"]} == {
        BOARD: ["ana", "mei"], PEOPLE: [], USERS: [],
    }  # fmt: skip
    assert event["id"] == f"{event['data']['version']}.labels.{digest_of(Scene())}"


def test_a_version_of_many_stretches_is_looked_at_at_the_first(tmp_path: Path) -> None:
    """Those that are left out are counted; what only they would show is not seen."""
    store = chain(tmp_path)
    label(store, CLIENTS, "pii", at=DAYS[0])
    *_, entry = store.changes()
    feed = governed(store).label_feed(store.id)

    def widened(more: int) -> Event | None:
        earlier = tuple((1, CLIENTS, "label", "old", at, at + 1) for at in range(more))
        return feed.event(entry._replace(facts=(*earlier, *entry.facts)))

    found = widened(MAX_INSTANTS - 1)  # beside its beginning it is looked at when it was recorded
    assert found is not None
    assert found["data"]["instants_omitted"] == 1
    assert widened(MAX_INSTANTS) is None


def test_a_column_that_a_star_joins_for_the_first_time_is_reported(tmp_path: Path) -> None:
    """The edge that names it carries nothing; the star that joins it does, and joined no column before."""
    store = chain(tmp_path)
    store.append([task_change("star", "online", DAYS[0], [("db:q#*", "db:r#*")])])
    label(store, "db:q", "pii")
    store.append([task_change("fill", "online", DAYS[3], [("db:x#a", "db:r#new")])])
    (_, joined) = made(store)

    assert told(joined) == [(node, DAYS[3], ("pii",), ()) for node in ("db:q#new", "db:r#new")]
