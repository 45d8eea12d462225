"""The rules of the state machine: every kind of message, crash, clock and question."""

from __future__ import annotations

from agreement import compare_diff, compare_view, compare_walk
from delivery import DAY, POINTS, Delivery, picks
from domain import NODES, START, around, edge_sets, instants, message, source_versions, statements, tasks
from graph_agreement import compare_edges, compare_with_duckdb
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule
from reference import Sent

from lineage_tt import Store
from lineage_tt.graph import Graph


class StoreMachine(Delivery):
    """What may happen to a store."""

    graph: Graph | None = None

    # --- rules: messages ------------------------------------------------------------------------------------------

    @rule(sent=statements(), by_other=st.booleans())
    def append(self, sent: Sent, by_other: bool) -> None:
        """One new message."""
        self.deliver([self.new(sent)], self.other if by_other else self.store)

    @rule(batch=st.lists(statements(), min_size=2, max_size=6), again=st.booleans())
    def commit_many(self, batch: list[Sent], again: bool) -> None:
        """Several in one batch, perhaps with one of them twice."""
        sents = [self.new(sent) for sent in batch]
        self.deliver([*sents, sents[0]] if again else sents)

    @precondition(lambda self: self.sent)
    @rule(at=picks, edges=edge_sets, version=source_versions)
    def correct(self, at: int, edges: frozenset, version: int | None) -> None:
        """Another edge set for the same task and effective_at."""
        known = self.pick(at)
        if known.op != "retract":
            self.deliver([self.new(known._replace(op="update", edges=edges, source_version=version))])

    @precondition(lambda self: self.sent)
    @rule(at=picks, by_other=st.booleans())
    def retract(self, at: int, by_other: bool) -> None:
        """Withdraw any message sent before, statements and retracts alike."""
        known = self.pick(at)
        sent = self.new(Sent(known.task, "", "retract", 0, retracts=known.event))
        self.deliver([sent], self.other if by_other else self.store)

    @precondition(lambda self: any(sent.op == "retract" for sent in self.sent))
    @rule(picked=st.lists(picks, min_size=1, max_size=4))
    def retract_retracts(self, picked: list[int]) -> None:
        """One batch of retracts of retracts, some of one another."""
        retracts = [sent for sent in self.sent if sent.op == "retract"]
        batch: list[Sent] = []
        for at in picked:
            known = retracts[-1 - at % min(len(retracts), 4)]
            retracts.append(self.new(Sent(known.task, "", "retract", 0, retracts=known.event)))
            batch.append(retracts[-1])
        self.deliver(batch)

    @rule(task=tasks)
    def retract_what_never_came(self, task: str) -> None:
        """A retract of an event that the task never sent is refused."""
        self.deliver([self.new(Sent(task, "", "retract", 0, retracts="nothing"))])

    @precondition(lambda self: self.sent)
    @rule(length=st.integers(1, 6), by_other=st.booleans())
    def redeliver(self, length: int, by_other: bool) -> None:
        """The end of the input, once more (I8)."""
        self.deliver(self.sent[-length:], self.other if by_other else self.store)

    @rule(first=statements(), second=statements())
    def race(self, first: Sent, second: Sent) -> None:
        """Both append, and the one that comes second does not know of the first."""
        self.deliver([self.new(first)], self.other)
        self.deliver([self.new(second), self.new(second._replace(task=first.task))])

    @precondition(lambda self: self.sent)
    @rule(at=picks, edges=edge_sets)
    def send_other_content(self, at: int, edges: frozenset) -> None:
        """An event id that came before, with other content."""
        known = self.pick(at)
        if known.op in ("online", "update"):
            self.deliver([known._replace(edges=edges)])

    @rule(task=tasks, edges=edge_sets, first=instants, second=instants)
    def come_back(self, task: str, edges: frozenset, first: int, second: int) -> None:
        """A task goes offline and comes back, at one instant or at two."""
        away, back = sorted((first, second))
        self.deliver([self.new(Sent(task, "", "offline", away)), self.new(Sent(task, "", "online", back, None, edges))])

    @rule(batch=st.lists(st.tuples(statements(), st.sampled_from([0, 0, 1, 7, 1_000_000])), min_size=1, max_size=5))
    def import_history(self, batch: list[tuple[Sent, int]]) -> None:
        """System times from ``recorded_at``: of equal ones the last has that time, the others lead up to it."""
        self.store.refresh()
        last = self.model.system_times[-1] if self.model.system_times else 0
        recorded: list[int] = []
        expected: list[int] = []
        for _, later in batch:
            recorded.append((recorded[-1] if recorded else last or START) + later)
        for time in reversed(recorded):
            expected.insert(0, min(time, expected[0] - 1) if expected else time)
        self.clock.set(max(self.clock.now(), recorded[-1]))
        messages = []
        for (sent, _), at, time in zip(batch, recorded, _rising(expected, last), strict=True):
            fresh = self.new(sent)
            self.sent.append(fresh)
            self.model.receive(fresh, time)
            messages.append(message(fresh))
            messages[-1].recorded_at = at
        self.store.append(messages, system_times="recorded_at")
        self.note("history import")

    # --- rules: the world -----------------------------------------------------------------------------------------

    @rule(by=st.sampled_from([0, 1, 1_000_000, 1_000_000, -2_000_000, -3_600_000_000, DAY, 3 * DAY]))
    def advance_clock(self, by: int) -> None:
        """The clock stands still, runs, or is set back."""
        self.clock.advance(by)

    @precondition(lambda self: self.model.system_times)
    @rule(sent=statements())
    def clock_falls_far_behind(self, sent: Sent) -> None:
        """A clock that is two days behind the store: nothing is taken in."""
        before = self.clock.now()
        self.clock.set(self.model.system_times[-1] - 2 * DAY)
        self.deliver([self.new(sent)])
        self.clock.set(before)

    @rule()
    def reopen(self) -> None:
        """The process ends; another one opens the store."""
        self.store = Store.open(self.path, clock=self.clock)

    @rule()
    def refresh(self) -> None:
        """A reader takes in what others committed; its writer must not lose it."""
        assert self.store.refresh() == self.model.version

    @rule(batch=st.lists(statements(), min_size=1, max_size=3), point=st.sampled_from(sorted(POINTS)))
    def crash(self, batch: list[Sent], point: str) -> None:
        """The process dies at a point; another one starts and is sent the same again."""
        sents = [self.new(sent) for sent in batch]
        self.deliver(sents, point=point)
        self.reopen()
        self.deliver(sents)

    @precondition(lambda self: self.sent)
    @rule(
        sent=statements(), at=picks, point=st.sampled_from(sorted(POINTS)), action=st.sampled_from(["raise", "enospc"])
    )
    def fail_and_go_on(self, sent: Sent, at: int, point: str, action: str) -> None:
        """An append fails, the same process is sent the same again: a message, its retract, a refused one."""
        fresh = self.new(sent)
        known = self.pick(at)
        batch = [
            fresh,
            self.new(Sent(sent.task, "", "retract", 0, retracts=fresh.event)),
            known._replace(op="retract", effective_at=0, edges=frozenset()),
        ]
        self.deliver(batch, point=point, action=action)
        self.deliver(batch)

    # --- rules: questions -----------------------------------------------------------------------------------------

    @precondition(lambda self: self.model.accepted)
    @rule(vt=picks, st_=picks, nodes=st.lists(st.sampled_from(NODES), min_size=1, max_size=2), depth=st.sampled_from(
        [None, None, 0, 1, 2]), direction=st.sampled_from(["up", "down", "both"]), level=st.sampled_from(
        ["column", "table"]))  # fmt: skip
    def query(self, vt: int, st_: int, nodes: list[str], depth: int | None, direction: str, level: str) -> None:
        """Edges, tasks and a walk as of any point, through the public API."""
        points = around(self.model.boundaries())
        self.store.refresh()
        system_at = self.model.system_times[st_ % self.model.version] + st_ % 3 - 1
        view = self.store.as_of(points[vt % len(points)], system_at)

        assert view.basis.version == self.model.version_at(system_at)
        answer = compare_view(view, self.model)
        assert self.answers.setdefault(view.basis, answer) == answer
        compare_walk(view, self.model, nodes, direction, depth, level)

    @precondition(lambda self: self.model.accepted)
    @rule(vt=picks, st_=picks, node=st.sampled_from(NODES), direction=st.sampled_from(["up", "down", "both"]),
          level=st.sampled_from(["column", "table"]), late=st.booleans())  # fmt: skip
    def query_the_graph(self, vt: int, st_: int, node: str, direction: str, level: str, late: bool) -> None:
        """The graph, kept current since it was first asked or loaded just now, says what the model and DuckDB say."""
        if self.graph is None or late:
            self.graph = Graph.load(Store.open(self.path, clock=self.clock), max_tail=4)
        assert self.graph.refresh() == self.model.version
        self.store.refresh()
        vts = around(self.model.boundaries())
        system_at = self.model.system_times[st_ % self.model.version] + st_ % 3 - 1
        view, duck = self.graph.as_of(vts[vt % len(vts)], system_at), self.store.as_of(vts[vt % len(vts)], system_at)

        assert view.basis == duck.basis
        compare_edges(self.graph, self.model, [view.basis.valid_at], [view.basis.version, self.model.version])
        compare_with_duckdb(view, duck, [node], direction, None, level, False)

    @precondition(lambda self: self.model.accepted)
    @rule(picked=st.tuples(picks, picks, picks))
    def diff(self, picked: tuple[int, int, int]) -> None:
        """Three points, compared each with each (I4)."""
        self.store.refresh()
        points = around(self.model.boundaries())
        compare_diff(self.store, self.model, [(points[p % len(points)], p % (self.model.version + 1)) for p in picked])


def _rising(times: list[int], last: int) -> list[int]:
    """The times, each moved after the one before where it is not."""
    risen: list[int] = []
    for time in times:
        risen.append(max(time, (risen[-1] if risen else last) + 1))
    return risen
