"""The feed as events against the model: added up they are the rectangles, at every version (I5, I6)."""

from __future__ import annotations

import random
from collections import Counter

import orjson
from domain import INSTANTS, message, sizes, statements
from hypothesis import given
from hypothesis import strategies as st
from reference import Model, Rectangle, Sent, join_touching

from lineage_tt import Store
from lineage_tt.events import event_of, signed_changes
from lineage_tt.feed.parts import Sequencer, split
from lineage_tt.schemas import event_schemas
from lineage_tt.testing import ManualClock

histories = st.lists(st.one_of(statements(), st.integers(0, 9)), min_size=1, max_size=14)


def played(folder, history: list[Sent | int]) -> tuple[Store, Model]:
    """A store and a model that took the same messages; an integer retracts one sent before."""
    store, model = Store.create(folder, clock=ManualClock(INSTANTS[3])), Model()
    sents: list[Sent] = []
    for number, sent in enumerate(history):
        if isinstance(sent, int):
            if not sents:
                continue
            known = sents[sent % len(sents)]
            sent = Sent(known.task, "", "retract", 0, retracts=known.event)
        sents.append(sent._replace(event=f"e{number}"))
    for sent in sents:
        model.receive(sent, model.next_system_time(INSTANTS[3]))
    store.append([message(sent) for sent in sents])
    return store, model


def added_up(sums: Counter[tuple[object, ...]]) -> frozenset[Rectangle]:
    """The rectangles that signed stretches add up to."""
    edges: dict[tuple[str, ...], dict[int, int]] = {}
    for (edge, start, end), total in sums.items():
        steps = edges.setdefault(edge, {})  # type: ignore[arg-type]
        steps[start] = steps.get(start, 0) + total  # type: ignore[index, call-overload]
        last = 2**62 if end is None else end
        steps[last] = steps.get(last, 0) - total  # type: ignore[index, call-overload]
    result: set[Rectangle] = set()
    for edge, steps in edges.items():
        total, stretches = 0, []
        cuts = sorted(steps)
        for at, following in zip(cuts, [*cuts, None][1:], strict=True):
            total += steps[at]
            assert total in (0, 1)
            if total:
                stretches.append((at, None if following == 2**62 else following))
        result |= {(edge, a, b) for a, b in join_touching(stretches)}  # type: ignore[misc]
    return frozenset(result)


@sizes(40, 1000)
@given(histories, st.integers(0, 2**30))
def test_events_added_up_are_the_rectangles(tmp_path_factory, history, seed) -> None:
    """Encoded, cut, doubled and put together again, the events give the model's rectangles at each version."""
    import jsonschema_rs

    store, model = played(tmp_path_factory.mktemp("feed") / "s", history)
    valid = jsonschema_rs.validator_for(event_schemas()["lineage-changed"]).is_valid
    draw, sent = random.Random(seed), []
    for entry in store.changes():
        parts = split(event_of(entry, store.id), 1100 if draw.random() < 0.5 else 10**6)
        assert all(valid(part) for part in parts)
        sent += parts * (2 if draw.random() < 0.2 else 1)
    reader, sums, at = Sequencer(), Counter[tuple[object, ...]](), 0
    for event in [orjson.loads(orjson.dumps(event)) for event in sent]:
        for whole in reader.take(event):
            version = whole["data"]["version"]
            assert all(model.net_changes(silent) == frozenset() for silent in range(at + 1, version))
            assert whole["data"]["previous_version"] == at or at == 0 == whole["data"]["previous_version"]
            changes = list(signed_changes(whole))
            assert set(changes) == model.net_changes(version)
            for sign, edge, start, end in changes:
                sums[edge, start, end] += sign
            assert added_up(sums) == model.rectangles(version)
            at = version
    assert added_up(sums) == model.rectangles(model.version)
    assert reader.blocked is None


@sizes(40, 1000)
@given(histories)
def test_columns_that_come_and_go(tmp_path_factory, history) -> None:
    """A column is added where the task had no edge into it and now has one; a retract may name more, never fewer."""
    store, model = played(tmp_path_factory.mktemp("feed") / "s", history)
    ops = {record.version: record.sent.op for record in model.accepted}
    for entry in store.changes():
        at = entry.changes[0][6]
        before, after = (
            {e[2] for e in model.state(at, version) if e[0] == entry.task_id and "#" in e[2]}
            for version in (entry.version - 1, entry.version)
        )
        added, removed = set(entry.columns_added), set(entry.columns_removed)
        if ops[entry.version] == "retract":
            assert added >= after - before
            assert removed >= before - after
        else:
            assert (added, removed) == (after - before, before - after)
