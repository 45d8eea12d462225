"""The central idea against the reference model, in memory: breadth where the state machine has depth."""

from __future__ import annotations

from itertools import combinations

from domain import around, instants, sizes, statements
from hypothesis import event, given
from hypothesis import strategies as st
from reference import Model, Rectangle, Sent

from lineage_tt.feed.changes import net
from lineage_tt.model.format import ChangeTuple
from lineage_tt.write.subjects.tasks import PastMessage, TaskHistory

Step = tuple[Sent, int | None, bool]

steps = st.lists(
    st.tuples(statements(), st.none() | st.none() | st.integers(0, 20), st.booleans()), min_size=1, max_size=12
)


class Pure:
    """The store without its files: one TaskHistory a task."""

    def __init__(self) -> None:
        self.model = Model()
        self.histories: dict[str, TaskHistory] = {}
        self.changes: list[tuple[int, str, ChangeTuple]] = []

    def take(self, sent: Sent) -> list[ChangeTuple]:
        """Give one message to model and history; return what it changed."""
        version, status = self.model.receive(sent, self.model.version + 1)
        assert status == "accepted"
        history = self.histories.setdefault(sent.task, TaskHistory())
        if sent.op == "retract":
            changes = history.withdraw(version, sent.retracts or "")
        else:
            changes = history.place(version, sent.effective_at, sent.source_version, sorted(sent.edges))
        history.events[sent.event] = (version, b"")
        edges = [change for change in changes if len(change) == 8]
        assert len(edges) == len(changes)
        self.changes += [(version, sent.task, change) for change in edges]
        return edges

    def reopen(self) -> None:
        """Forget the histories and rebuild them from what the log would hold."""
        self.histories = {
            task: TaskHistory.rebuild(
                PastMessage(
                    r.version, task, r.sent.event, r.sent.op, r.sent.effective_at, r.sent.source_version,
                    r.sent.retracts, b"", sorted(r.sent.edges),
                )
                for r in self.model.accepted
                if r.sent.task == task
            )
            for task in self.histories
        }  # fmt: skip


def play(script: list[Step]) -> Pure:
    """Run a script: a number names the earlier message to retract instead, True reopens first."""
    pure = Pure()
    for number, (statement, target, reopen) in enumerate(script):
        if reopen:
            pure.reopen()
        if target is not None and number:
            victim = pure.model.accepted[target % number].sent
            pure.take(Sent(victim.task, f"e{number}", "retract", 0, retracts=victim.event))
            event("retract of a retract" if victim.op == "retract" else "retract of a statement")
        else:
            pure.take(statement._replace(event=f"e{number}"))
    return pure


@sizes(400, 5_000)
@given(steps)
def test_changes_add_up_to_the_model(script: list[Step]) -> None:
    """After every version the signed changes so far add up to the model's state at every valid time."""
    pure = play(script)
    points = around(pure.model.boundaries())
    for version in range(1, pure.model.version + 1):
        known = [(task, change) for v, task, change in pure.changes if v <= version]
        for valid_at in points:
            total: dict[tuple[str, ...], int] = {}
            for task, (sign, *edge, start, end) in known:
                if start <= valid_at and (end is None or valid_at < end):
                    key = (task, *(str(part) for part in edge))
                    total[key] = total.get(key, 0) + sign

            assert set(total.values()) <= {0, 1}
            assert {edge for edge, count in total.items() if count} == pure.model.state(valid_at, version)


@sizes(400, 5_000)
@given(steps)
def test_a_minus_takes_away_a_whole_rectangle(script: list[Step]) -> None:
    """A minus names a rectangle in place, a plus one that is not; what is in place equals the model's rectangles."""
    pure = play(script)
    in_place: set[Rectangle] = set()
    for version in range(1, pure.model.version + 1):
        for v, task, (sign, *edge, start, end) in pure.changes:
            if v != version:
                continue
            rectangle: Rectangle = ((task, *edge), start, end)  # type: ignore[assignment]
            assert (rectangle in in_place) == (sign < 0)
            in_place ^= {rectangle}

        assert in_place == pure.model.rectangles(version)


@sizes(300, 5_000)
@given(steps)
def test_netted_changes_are_the_difference_of_rectangles(script: list[Step]) -> None:
    """What the feed says of version n is the difference of the model's rectangles before and after it."""
    pure = play(script)
    for version in range(1, pure.model.version + 1):
        mine = [(task, change) for v, task, change in pure.changes if v == version]
        netted = net(change for _, change in mine)
        task = mine[0][0] if mine else ""
        found = {(sign, (task, *edge), start, end) for sign, *edge, start, end in netted}

        assert len(found) == len(netted)
        assert found == pure.model.net_changes(version)


@sizes(300, 5_000)
@given(steps)
def test_rectangles_of_an_edge_never_overlap(script: list[Step]) -> None:
    """The rectangles of one edge are not empty, and no two overlap or touch in valid time at any version."""
    pure = play(script)
    in_place: set[Rectangle] = set()
    for _, task, (_, *edge, start, end) in pure.changes:
        assert end is None or start < end
        in_place ^= {((task, *edge), start, end)}  # type: ignore[arg-type]
    for (edge_a, start_a, end_a), (edge_b, start_b, end_b) in combinations(in_place, 2):
        if edge_a == edge_b:
            assert (end_a is not None and end_a < start_b) or (end_b is not None and end_b < start_a)


@sizes(300, 5_000)
@given(st.lists(statements(), min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_arrival_order_does_not_matter_with_source_versions(sent: list[Sent], random: object) -> None:
    """Any permutation of messages with source versions leads to the same belief in the end, at every valid time."""
    numbered = [s._replace(event=f"e{i}", source_version=i) for i, s in enumerate(sent)]
    shuffled = list(numbered)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = Pure(), Pure()
    for a, b in zip(numbered, shuffled, strict=True):
        one.take(a)
        other.take(b)

    assert _in_place(one) == _in_place(other) == one.model.rectangles(one.model.version)


@sizes(300, 5_000)
@given(steps, instants)
def test_a_late_message_changes_only_up_to_the_next_known_start(script: list[Step], at: int) -> None:
    """A message effective at e leaves everything outside [e, next known effective_at of its task) as it was."""
    pure = play(script)
    model = pure.model
    late = Sent("load", "late", "offline", at, source_version=9)
    starts = {r.sent.effective_at for r in model.visible(model.version) if r.sent.task == "load"}
    end = min((start for start in starts if start > at), default=None)
    event("in the middle" if end else "at the end")
    for change in net(pure.take(late)):
        assert at <= change[-2]
        assert end is None or (change[-1] is not None and change[-1] <= end)


def _in_place(pure: Pure) -> set[Rectangle]:
    result: set[Rectangle] = set()
    for _, task, (_, *edge, start, end) in pure.changes:
        result ^= {((task, *edge), start, end)}  # type: ignore[arg-type]
    return result
