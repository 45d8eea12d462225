"""What answers say of their own completeness: gaps on the way, where a walk ends unknowing, and what is not a gap."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.completeness.sentence import line
from lineage_tt.model.completeness.summary import COMPLETE, MAX_REASONS, MAX_TASKS, Completeness
from lineage_tt.model.edges import Edge
from lineage_tt.model.errors import UnknownNodeError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, Message, NodeChange, Problem, TaskChange
from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000
HOUR = 3_600_000_000
EDGE = Edge("h:src#a", "h:ods#a", "DIRECT", "IDENTITY", "")
WHY = Problem("syntax", "it does not parse", "")


def partial(task: str, *edges: tuple[str, str], at: int = NOON, **more: object) -> TaskChange:
    """A message whose lineage is not complete."""
    made = [Edge(source, target, "DIRECT", "IDENTITY", "") for source, target in edges]
    problems = more.pop("problems", [WHY])
    coverage = more.pop("coverage", "partial" if made else "opaque")
    event = f"{task}/{at}/{more.get('event', '')}"
    lineage = Lineage(made, coverage=coverage, problems=problems, **more.pop("lineage", {}))  # type: ignore[arg-type]
    return TaskChange(event, task, "update", at, lineage=lineage, target=more.pop("target", None))  # type: ignore[arg-type]


def untraced(*, reads: str = "", writes: str = "") -> list[Problem]:
    """The problems of a text of which no edge is known."""
    found = [Problem("untraced-read", "it is read", reads)] if reads else []
    return found + ([Problem("untraced-write", "it is written", writes)] if writes else [])


def store_of(folder: Path, *messages: Message) -> Store:
    """A store that took these messages one after the other."""
    store = Store.create(folder / "store", clock=ManualClock(NOON))
    for message in messages:
        store.append([message])
    return store


def sql(event: str, task: str, text: str, dialect: str = "hive", at: int = NOON) -> TaskChange:
    """A message of a task's SQL."""
    return TaskChange(event, task, "update", at, sql=text, dialect=dialect, namespace="hive")


def ends(found: Completeness) -> list[tuple[str, str, str]]:
    """Node, direction and code of each end."""
    return [(end.node, end.direction, end.code) for end in found.ends]


def test_where_all_is_complete_nothing_is_said(tmp_path: Path) -> None:
    """A source table that no task writes is an ordinary end: the answer is complete, and has no line of text."""
    store = store_of(tmp_path, task_change("t", "online", NOON, [EDGE[:2]]))
    found = store.as_of(NOON).lineage("h:ods#a")

    assert found.completeness is COMPLETE
    assert found.completeness.complete
    assert line(found.completeness) is None
    assert store.as_of(NOON).tasks().completeness is COMPLETE


def test_a_partial_task_on_the_way_is_named_with_its_reasons(tmp_path: Path) -> None:
    """A task counts where one of its edges is on the way; its reasons come sorted, each once."""
    more = [Problem("unknown-columns", "the columns of h:x are not known", "h:x"), WHY, WHY]
    store = store_of(
        tmp_path, partial("t", EDGE[:2], problems=more), task_change("u", "online", NOON, [("h:c#a", "h:d")])
    )
    found = store.as_of(NOON).lineage("h:ods#a").completeness

    assert [task[:3] for task in found.tasks] == [("t", 1, "partial")]
    assert [(r.code, r.subject) for r in found.tasks[0].reasons] == [("syntax", ""), ("unknown-columns", "h:x")]
    assert found.ends == ()
    assert store.as_of(NOON).lineage("h:d").completeness is COMPLETE, "the walk does not meet it"


def test_a_node_that_an_opaque_task_writes_is_an_end_unknowing(tmp_path: Path) -> None:
    """Upstream stops where a task in force is known to write a node from unknown sources, not where none writes it."""
    message = partial("o", problems=untraced(writes="h:src"))
    store = store_of(tmp_path, task_change("t", "online", NOON, [EDGE[:2]]), message)
    found = store.as_of(NOON).upstream("h:ods#a").completeness

    assert [task.task_id for task in found.tasks] == ["o"]
    assert ends(found) == [("h:src#a", "up", "unknown-sources")]
    assert found.ends[0].detail == "task o writes h:src from sources that are not known"
    assert store.as_of(NOON).downstream("h:ods#a").completeness is COMPLETE


def test_a_node_that_an_opaque_task_reads_is_an_end_unknowing(tmp_path: Path) -> None:
    """Downstream stops where a task in force is known to read a node and nobody knows what for."""
    message = partial("o", problems=untraced(reads="h:ods"))
    store = store_of(tmp_path, task_change("t", "online", NOON, [EDGE[:2]]), message)
    found = store.as_of(NOON).downstream("h:src#a").completeness

    assert ends(found) == [("h:ods#a", "down", "unknown-targets")]
    assert store.as_of(NOON).upstream("h:src#a").completeness is COMPLETE


def test_a_guessed_edge_of_whole_tables_does_not_hide_that_columns_end(tmp_path: Path) -> None:
    """A text that does not parse has an edge from table to table; a walk down from a column ends before it."""
    store = store_of(tmp_path, task_change("t", "online", NOON, [EDGE[:2]]), partial("g", ("h:ods", "h:dw")))
    found = store.as_of(NOON).downstream("h:src#a").completeness

    assert [task.task_id for task in found.tasks] == ["g"]
    assert ends(found) == [("h:ods#a", "down", "unknown-targets")]


def test_what_the_depth_cut_off_is_not_looked_at(tmp_path: Path) -> None:
    """A walk of one step says nothing about what lies behind its last nodes; one of two steps does."""
    message = partial("o", problems=untraced(writes="h:src"))
    store = store_of(tmp_path, task_change("t", "online", NOON, [EDGE[:2]]), message)

    assert store.as_of(NOON).upstream("h:ods#a", depth=1).completeness is COMPLETE
    assert not store.as_of(NOON).upstream("h:ods#a", depth=2).completeness.complete
    assert store.as_of(NOON).upstream("h:src#a", depth=0).completeness is COMPLETE


def test_a_reason_that_names_one_source_says_nothing_of_the_others(tmp_path: Path) -> None:
    """Where every reason names a dataset that is read, the task may read unknown columns of those alone."""
    why = [Problem("unknown-columns", "the columns of h:b are not known", "h:b")]
    message = partial("p", ("h:a#x", "h:t#x"), ("h:b#k", "h:t#k"), problems=why)
    store = store_of(tmp_path, message, task_change("t", "online", NOON, [("h:s#z", "h:a#z"), ("h:s#z", "h:b#z")]))

    assert [(end.node, end.direction) for end in store.as_of(NOON).downstream("h:s#z").completeness.ends] == [
        ("h:b#z", "down")
    ]


def test_columns_that_are_known_to_be_written_bound_what_a_task_may_write(tmp_path: Path) -> None:
    """A column that the task's outputs do not name is none of its business."""
    given = {"outputs": [("h:t", ("x",))]}
    store = store_of(
        tmp_path,
        partial("p", ("h:a#x", "h:t#x"), lineage=given),
        task_change("q", "online", NOON, [("h:b#y", "h:t#y")]),
    )

    assert store.as_of(NOON).upstream("h:t#y").completeness is COMPLETE
    assert [task.task_id for task in store.as_of(NOON).upstream("h:t#x").completeness.tasks] == ["p"]


def test_it_is_as_of_both_times(tmp_path: Path) -> None:
    """The gap counts where it is in force and from when it is known: a later correction leaves the old answer."""
    store = store_of(
        tmp_path,
        task_change("t", "online", NOON, [EDGE[:2]]),
        partial("t", EDGE[:2], at=NOON + HOUR),
        task_change("t", "update", NOON + HOUR, [EDGE[:2]], event_id="better"),
    )
    said = [
        [task.version for task in store.as_of(at, version=version).upstream("h:ods#a").completeness.tasks]
        for at, version in ((NOON, 2), (NOON + HOUR, 1), (NOON + HOUR, 2), (NOON + HOUR, 3))
    ]

    assert said == [[], [], [2], []]


def test_a_retract_brings_the_gap_of_its_predecessor_back(tmp_path: Path) -> None:
    """A message that is taken back says nothing any more, of completeness either; offline tasks have no gap."""
    store = store_of(
        tmp_path,
        partial("t", EDGE[:2]),
        task_change("t", "update", NOON + HOUR, [EDGE[:2]], event_id="e"),
        task_change("t", "retract", retracts="e"),
        task_change("t", "offline", NOON + 2 * HOUR),
    )
    at = [store.as_of(NOON + HOUR, version=version).tasks().completeness.complete for version in (1, 2, 3)]

    assert at == [False, True, False]
    assert store.as_of(NOON + 2 * HOUR).tasks().completeness is COMPLETE


def test_lists_are_bounded_and_what_is_left_out_is_counted(tmp_path: Path) -> None:
    """Many gaps, and many reasons, are listed up to a bound; the rest is counted."""
    why = [Problem("syntax", f"reason {i:02}", "") for i in range(MAX_REASONS + 3)]
    messages = [partial(f"t{i:03}", EDGE[:2], problems=why) for i in range(MAX_TASKS + 2)]
    found = store_of(tmp_path, *messages).as_of(NOON).upstream("h:ods#a").completeness

    assert (len(found.tasks), found.tasks_omitted) == (MAX_TASKS, 2)
    assert (len(found.tasks[0].reasons), found.tasks[0].reasons_omitted) == (MAX_REASONS, 3)
    assert "22 tasks on the way are partial or opaque" in str(line(found))


def test_the_object_has_these_keys(tmp_path: Path) -> None:
    """The JSON form is an API."""
    store = store_of(tmp_path, partial("o", problems=untraced(writes="h:src"), target=None))
    store.append([task_change("t", "online", NOON, [EDGE[:2]])])

    assert store.as_of(NOON).upstream("h:ods#a").completeness.to_json() == {
        "complete": False,
        "tasks": [
            {
                "task_id": "o",
                "version": 1,
                "coverage": "opaque",
                "reasons": [{"code": "untraced-write", "detail": "it is written", "subject": "h:src"}],
                "reasons_omitted": 0,
            }
        ],
        "tasks_omitted": 0,
        "ends": [
            {
                "node": "h:src#a",
                "direction": "up",
                "code": "unknown-sources",
                "detail": "task o writes h:src from sources that are not known",
            }
        ],
        "ends_omitted": 0,
        "by_star": 0,
    }


def test_the_advice_is_right(tmp_path: Path) -> None:
    """What the line says to declare makes the answer complete once it is declared."""
    store = Store.create(tmp_path / "store", clock=ManualClock(NOON))
    with SqlResolver(0) as resolver:
        store.append(
            [
                sql("e1", "ods", "CREATE TABLE ods.orders AS SELECT * FROM src.orders"),
                sql("e2", "ads", "CREATE TABLE ads.rev AS SELECT o.amount AS revenue FROM ods.orders AS o"),
            ],
            resolver=resolver,
        )
        before = line(store.as_of(NOON).upstream("hive:ods.orders#amount").completeness)
        fields = [Field("id"), Field("amount")]
        store.append([NodeChange("d", "dataset", "hive:src.orders", "define", NOON, fields=fields)], resolver=resolver)

    assert before is not None
    assert before.startswith("incomplete: ")
    assert (
        "columns of hive:src.orders are unknown; declare them with a dataset message: lineage-tt ingest FILE" in before
    )
    assert store.as_of(NOON).upstream("hive:ods.orders#amount").completeness is COMPLETE


def test_a_text_that_nobody_can_read_is_found_from_the_tables_it_names(tmp_path: Path) -> None:
    """Of an unknown dialect no edge is made, but what the text writes and reads is kept as reasons."""
    store = Store.create(tmp_path / "store", clock=ManualClock(NOON))
    text = "-- INTO no.where\nINSERT INTO TABLE Dw.X SELECT ',' FROM `Ods`.y JOIN z ON 1 = f(2) WHERE b IN (FROM(3))"
    with SqlResolver(0) as resolver:
        store.append(
            [
                sql("e1", "bad", text, "klingon"),
                sql("e2", "good", "CREATE TABLE c.d AS SELECT a.q FROM dw.x AS a"),
            ],
            resolver=resolver,
        )
    gap = store.as_of(NOON).gaps.of(["bad"])[0]

    assert gap.writes == {"hive:dw.x"}
    assert gap.reads == {"hive:ods.y", "hive:z"}


def test_sql_users_can_ask(tmp_path: Path) -> None:
    """The macro completeness_as_of gives the gaps as of a point with reasons, reads and writes."""
    store = store_of(
        tmp_path,
        partial("p", EDGE[:2], problems=[WHY, *untraced(reads="h:more", writes="h:extra")]),
        task_change("t", "online", NOON, [EDGE[:2]]),
    )
    names, rows = store.sql(f"SELECT * FROM completeness_as_of(make_timestamptz({NOON}))")

    assert names == ["task_id", "version", "coverage", "reasons", "reads", "writes"]
    assert [(*r[:3], *r[4:]) for r in rows] == [("p", 1, "partial", ["h:more", "h:src"], ["h:extra", "h:ods"])]
    assert {"code": "syntax", "detail": "it does not parse", "subject": ""} in rows[0][3]


def test_steps_by_star_are_counted(tmp_path: Path) -> None:
    """A step that assumes a column name is less than certain, whoever stated the star."""
    store = store_of(tmp_path, task_change("t", "online", NOON, [("h:a#*", "h:b#*"), ("h:b#c", "h:d#c")]))
    found = store.as_of(NOON).upstream("h:d#c").completeness

    assert (found.complete, found.tasks, found.ends, found.by_star) == (False, (), (), 1)
    assert line(found) == "incomplete: 1 step assumes a column name (by star)"


@pytest.mark.long
def test_a_column_that_its_written_dataset_does_not_have_is_no_end_without_a_word(tmp_path: Path) -> None:
    """What once was read of a table whose statement, all of it known, does not write it: nothing is known of that."""
    messages = [
        sql("e1", "old", "CREATE TABLE w AS SELECT gone FROM ods"),
        TaskChange("e2", "old", "offline", NOON + HOUR),
        sql("e3", "make", "CREATE TABLE ods AS SELECT src.a, 1 AS one FROM src", at=NOON + HOUR),
        sql("e4", "read", "CREATE TABLE late AS SELECT one FROM ods", at=NOON + HOUR),
    ]
    store = store_of(tmp_path)
    with SqlResolver(0) as resolver:
        store.append(messages, resolver=resolver)
    graph = store.graph()
    for view in (store.as_of(NOON + HOUR), graph.as_of(NOON + HOUR)):
        for way in ("up", "down"):
            found = view.lineage("hive:ods#gone", direction=way).completeness
            assert ends(found) == [("hive:ods#gone", way, "no-such-column")]
        assert line(found) == (
            "incomplete: the walk ends for want of knowledge at hive:ods#gone "
            "(hive:ods is not known to have that column at that point)"
        )
        assert view.lineage("hive:ods#gone", depth=0).completeness is COMPLETE
        for known in ("hive:ods#one", "hive:src#a"):  # a constant; a column of a source that nobody writes
            assert view.upstream(known).completeness is COMPLETE
        with pytest.raises(UnknownNodeError):
            view.upstream("hive:ods#two")
    supposed = graph.with_({"make": [("hive:src#a", "hive:ods#gone", "DIRECT", "IDENTITY", "")]}, NOON)
    assert supposed.as_of(NOON + HOUR).lineage("hive:ods#gone").completeness is COMPLETE
    before = store.as_of(NOON).lineage("hive:ods#gone", direction="down")
    assert [step.edge.target for step in before.steps] == ["hive:w#gone"]
    assert before.completeness is COMPLETE


@pytest.mark.long
@pytest.mark.parametrize("star", ["", "CREATE TABLE wide AS SELECT * FROM somewhere"])
def test_a_column_that_is_known_without_an_edge_is_no_unknown_node(tmp_path: Path, star: str) -> None:
    """A constant is listed as a column, so a walk from it is not an error; files and graph, with star nodes or not."""
    store = store_of(tmp_path)
    with SqlResolver(0) as resolver:
        store.append(
            [
                sql("e1", "make", "CREATE TABLE ods AS SELECT a, 1 AS one FROM src WHERE b > 0"),
                sql("e2", "constants", "CREATE TABLE constants AS SELECT 2 AS two"),
                *([sql("e3", "wide", star)] if star else []),
            ],
            resolver=resolver,
        )
    graph = store.graph()
    for view in (store.as_of(NOON), graph.as_of(NOON)):
        found = view.lineage("hive:ods#one")
        assert [(s.direction, s.edge.source, s.edge.target) for s in found.steps] == [("up", "hive:src#b", "hive:ods")]
        assert found.completeness is COMPLETE
        both = view.lineage("hive:ods#one", "hive:ods#a", direction="up")
        assert [(s.steps, s.edge.source, s.edge.target) for s in both.steps] == [
            (1, "hive:src#a", "hive:ods#a"),
            (1, "hive:src#b", "hive:ods"),
        ]
        assert view.lineage("hive:constants#two").steps == ()
        for unknown in ("hive:ods#two", "hive:constants#one", "hive:nowhere#one"):
            with pytest.raises(UnknownNodeError):
                view.lineage(unknown)
            with pytest.raises(UnknownNodeError):
                view.lineage("hive:ods#one", unknown)


def test_a_node_that_only_an_incomplete_task_touches_is_known(tmp_path: Path) -> None:
    """What no edge names but a text writes is not an unknown node: the answer says that its sources are not known."""
    message = partial("o", problems=untraced(writes="h:made"))
    store = store_of(tmp_path, message, task_change("t", "online", NOON, [EDGE[:2]]))
    graph = store.graph()
    for view in (store.as_of(NOON), graph.as_of(NOON)):
        found = view.upstream("h:made#x")
        assert found.steps == ()
        assert ends(found.completeness) == [("h:made#x", "up", "unknown-sources")]
        assert ends(view.upstream("h:made", level="table").completeness) == [("h:made", "up", "unknown-sources")]
        with pytest.raises(UnknownNodeError):
            view.upstream("h:made_up")
    assert store.diff(store.basis(version=1), store.basis(), "h:made").completeness is COMPLETE
    assert not store.diff(store.basis(version=0), store.basis(), "h:made").completeness.complete
    assert store.blame("h:src#a", "h:made").completeness.uncertain_tasks == {"o"}
