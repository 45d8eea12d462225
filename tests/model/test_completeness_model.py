"""What answers say of their completeness, on random histories: the store and its graph against the naive model."""

from __future__ import annotations

from itertools import pairwise

import pytest
from domain import INSTANTS, NODES, TASKS, sizes
from hypothesis import given
from hypothesis import strategies as st
from reference import Model, Sent, Unsure, absent, lacking, stated_columns, table_level, unknown_of, walk

from lineage_tt import Store
from lineage_tt.model.answers import Level
from lineage_tt.model.completeness.summary import MAX_ENDS, MAX_TASKS, Completeness
from lineage_tt.model.messages import Lineage, Problem, TaskChange
from lineage_tt.testing import ManualClock

TABLES = sorted({node.partition("#")[0] for node in NODES})
ENDS = [*NODES, *(f"{table}#*" for table in TABLES)]
kinds = st.sampled_from([("DIRECT", "IDENTITY"), ("INDIRECT", "FILTER")])
edges = st.tuples(st.sampled_from(ENDS), st.sampled_from(ENDS), kinds).map(lambda e: (e[0], e[1], *e[2], ""))
problems = st.tuples(
    st.sampled_from(["syntax", "unknown-columns", "unknown-columns", "untraced-read", "untraced-write"]),
    st.sampled_from(["", *TABLES, *TABLES]),
)
outputs = st.tuples(st.sampled_from(TABLES), st.sampled_from([frozenset[str](), frozenset(["x"])]))
unsure = st.builds(
    Unsure,
    st.sampled_from(["partial", "opaque"]),
    st.frozensets(problems, min_size=1, max_size=2),
    st.one_of(st.just(frozenset()), outputs.map(lambda one: frozenset([one]))),
    st.one_of(st.none(), st.sampled_from(TABLES)),
)
said = st.tuples(
    st.sampled_from(TASKS),
    st.sampled_from(["update", "update", "update", "offline", "retract"]),
    st.sampled_from(INSTANTS[:4]),
    st.frozensets(edges, max_size=3),
    st.one_of(st.none(), unsure, unsure),
)
histories = st.lists(said, min_size=1, max_size=8)


def sent(number: int, drawn: tuple[object, ...], earlier: list[Sent]) -> Sent | None:
    """The message drawn, None for a retract of a task that said nothing yet."""
    task, op, at, edge_set, lacks = drawn
    if op == "retract":
        events = [message.event for message in earlier if message.task == task]
        return Sent(task, f"e{number}", "retract", 0, retracts=events[number % len(events)]) if events else None  # type: ignore[arg-type]
    if op == "offline":
        return Sent(task, f"e{number}", "offline", at)  # type: ignore[arg-type]
    given_edges = frozenset() if isinstance(lacks, Unsure) and lacks.coverage == "opaque" else edge_set
    return Sent(task, f"e{number}", "update", at, None, given_edges, None, lacks)  # type: ignore[arg-type]


def message(given_: Sent) -> TaskChange:
    """The store's message for one of the model's."""
    lacks = given_.unsure
    lineage = Lineage.of(given_.edges)
    if lacks is not None:
        lineage.coverage = lacks.coverage  # type: ignore[assignment]
        lineage.problems = [Problem(code, "", subject) for code, subject in sorted(lacks.problems)]
        lineage.outputs = [(dataset, tuple(sorted(columns))) for dataset, columns in sorted(lacks.outputs)]
    return TaskChange(
        given_.event, given_.task, given_.op, None if given_.op == "retract" else given_.effective_at,  # type: ignore[arg-type]
        lineage=lineage if given_.op == "update" else None, target=lacks.target if lacks else None,
        retracts=given_.retracts,
    )  # fmt: skip


def compare(found: Completeness, tasks: set[tuple[str, int]], ends: set[tuple[str, str]], by_star: int) -> None:
    """The object lists the model's tasks and ends, in order, as far as its bounds go."""
    assert sorted(tasks)[:MAX_TASKS] == [(task.task_id, task.version) for task in found.tasks]
    assert sorted(ends)[:MAX_ENDS] == [(end.node, end.direction) for end in found.ends]
    assert (len(tasks), len(ends)) == (
        len(found.tasks) + found.tasks_omitted,
        len(found.ends) + found.ends_omitted,
    )
    assert {task for task, _ in tasks} == found.uncertain_tasks
    assert by_star == found.by_star
    assert found.complete == (not tasks and not ends and not by_star)


@pytest.mark.long
@sizes(5, 300)
@given(histories, st.sampled_from(["up", "down", "both"]), st.sampled_from([None, 0, 1, 2]), st.booleans())
def test_completeness_is_what_the_model_says(tmp_path_factory, drawn, direction, depth, tables) -> None:
    """From every node, at every instant and version, from the files and from a graph that followed."""
    clock = ManualClock(INSTANTS[0])
    store, model = Store.create(tmp_path_factory.mktemp("complete") / "s", clock=clock), Model()
    naming = Sent(
        "naming", "n", "update", INSTANTS[0] - 10, None, frozenset((n, n, "DIRECT", "IDENTITY", "") for n in ENDS)
    )
    sents = [naming, Sent("naming", "m", "offline", INSTANTS[0] - 5)]
    for number, one in enumerate(drawn):
        made = sent(number, one, sents[2:])
        sents += [made] if made else []
    graph = None
    for one in sents:
        model.receive(one, model.next_system_time(INSTANTS[0]))
        store.append([message(one)])
        graph = graph or store.graph()
        graph.gaps  # noqa: B018 (read now, so that it has to follow)
        graph.refresh()
    assert graph is not None
    level: Level = "table" if tables else "column"
    endless = 10**6 if depth is None else depth
    nodes = [*ENDS[::3], f"{TABLES[0]}#other"] if not tables else TABLES[:2]
    for valid_at in INSTANTS[1:3]:
        for version in {2, len(sents) // 2 + 1, len(sents)}:
            gaps = lacking(model, valid_at, version)
            state = model.state(valid_at, version)
            seen = table_level(state) if tables else state
            stated = stated_columns(model, valid_at, version)
            view = store.as_of(valid_at, version=version)
            assert {gap.task for gap in gaps} == {gap.task_id for gap in view.gaps.all()}
            for node in nodes:
                tasks, ends, stars = set(), set(), 0
                for way in ("up", "down") if direction == "both" else (direction,):
                    walked = walk(seen, [node], way, endless)
                    more = unknown_of(gaps, walked, [node], way, endless)
                    tasks |= more[0]
                    ends |= more[1]
                    if endless and not tables and absent(stated, state, walked, node, way):
                        ends.add((node, way))
                    stars += sum(1 for edge in walked if edge[-1])
                for asked in (view, graph.as_of(valid_at, version=version)):
                    found = asked.lineage(node, direction=direction, depth=depth, level=level).completeness
                    compare(found, tasks, ends, stars)
    for one, other in pairwise(sorted({2, len(sents)})):
        first, last = (store.basis(INSTANTS[2], version=version) for version in (one, other))
        assert store.diff(first, last).completeness == graph.diff(first, last).completeness
