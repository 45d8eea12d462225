"""How the state machine gives messages to store and model alike, and what must hold whatever it did."""

from __future__ import annotations

import copy
import tempfile
from collections import Counter
from itertools import count, pairwise
from pathlib import Path

import pytest
from agreement import compare_all, compare_log, compare_points, damage
from domain import START, message
from hypothesis import event
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant
from reference import Model, Sent

from lineage_tt import Store
from lineage_tt.model.answers import Basis, EdgeAsOf
from lineage_tt.model.errors import UnavailableError
from lineage_tt.storage import failpoints
from lineage_tt.storage.failpoints import FailpointError
from lineage_tt.testing import ManualClock

DAY = 86_400_000_000
#: Where an append may break off, and whether its commit is there then.
POINTS = {
    "p2:after": False,
    "p3:before": False,
    "p3:data": False,
    "p3:after": True,
    "p4:after": True,
    "p5:before": True,
}
#: What really occurred, over all examples of a run.
SEEN: Counter[str] = Counter()

picks = st.integers(0, 10**6)


class Delivery(RuleBasedStateMachine):
    """Two Store objects over one folder, as two processes would have them, beside one model."""

    @initialize(seed=picks)
    def create(self, seed: int) -> None:
        """A new store, opened twice, and an empty model."""
        self.seed = seed
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "lineage"
        self.clock = ManualClock(START + 2_500_000)
        self.store = Store.create(self.path, clock=self.clock)
        self.other = Store.open(self.path, clock=self.clock)
        self.model = Model()
        self.sent: list[Sent] = []
        self.names = count()
        self.answers: dict[Basis, tuple[EdgeAsOf, ...]] = {}
        self.steps = 0
        self.crashed = False

    # --- giving messages ------------------------------------------------------------------------------------------

    def new(self, sent: Sent) -> Sent:
        """The message under an event id of its own."""
        return sent._replace(event=f"e{next(self.names)}")

    def pick(self, at: int) -> Sent:
        """One of the messages sent so far."""
        return self.sent[at % len(self.sent)]

    def deliver(self, batch: list[Sent], store: Store | None = None, point: str = "", action: str = "raise") -> None:
        """Append a batch through one store and judge it with the model; at ``point`` the append breaks off."""
        store = store or self.store
        self.sent += batch
        if self.refused_for_its_clock(batch, store):
            return
        trial = copy.deepcopy(self.model)
        verdicts = [trial.receive(sent, trial.next_system_time(self.clock.now())) for sent in batch]
        grows = trial.version > self.model.version
        if grows and store.version < self.model.version:
            self.note("conflict and rebase")
        if point and (grows or point == "p2:after"):
            with failpoints.armed(f"{point}:{action}"), pytest.raises((FailpointError, UnavailableError)):
                store.append([message(sent) for sent in batch])
            if POINTS[point] and grows:
                self.model = trial
            self.crashed = True
            self.note("crash inside a commit" if point.startswith("p3") else "crash around a commit")
            return
        receipts = store.append([message(sent) for sent in batch])

        assert [(receipt.version, receipt.status) for receipt in receipts] == verdicts
        self.count_kinds(batch, verdicts)
        self.model = trial
        if grows:
            assert store.version == trial.version

    def refused_for_its_clock(self, batch: list[Sent], store: Store) -> bool:
        """A clock more than a day behind the store: nothing is taken in."""
        if not self.model.system_times or self.model.system_times[-1] <= self.clock.now() + DAY:
            return False
        store.refresh()
        with pytest.raises(UnavailableError):
            store.append([message(sent) for sent in batch])
        self.note("clock far behind")
        return True

    def count_kinds(self, batch: list[Sent], verdicts: list[tuple[int, str]]) -> None:
        """Note what kinds of messages were really taken in."""
        for sent, (_, status) in zip(batch, verdicts, strict=True):
            if status != "accepted":
                self.note(status)
            elif sent.op == "retract":
                named = next(r for r in self.sent if (r.task, r.event) == (sent.task, sent.retracts))
                self.note("retract of a retract" if named.op == "retract" else "retract")
            else:
                known = [r.sent.effective_at for r in self.model.accepted if r.sent.task == sent.task]
                self.note("late arrival" if known and sent.effective_at < max(known) else "in order")
                if sent.effective_at in known:
                    self.note("tie")
                if sent.effective_at > self.clock.now():
                    self.note("future-dated")

    def note(self, what: str) -> None:
        """Count what occurred, for hypothesis and for the test that asks whether it did."""
        SEEN[what] += 1
        event(what)

    # --- what must always hold ------------------------------------------------------------------------------------

    @invariant()
    def agrees_now(self) -> None:
        """I10 always; now and then I1 at every valid time for what is known now and was known half way."""
        if not hasattr(self, "model"):
            return
        assert all(a < b for a, b in pairwise(self.model.system_times))
        assert self.store.version <= self.model.version
        self.steps += 1
        if self.model.version and self.steps % 5 == 0:
            self.store.refresh()
            compare_log(self.store, self.model)
            compare_points(self.store, self.model, self.seed, [self.model.version, (self.model.version + 1) // 2])

    def teardown(self) -> None:
        """At the end everything is compared, answers given before are asked for again (I2), and check finds nothing."""
        if not hasattr(self, "model"):
            return
        try:
            for store in (self.store, Store.open(self.path, clock=self.clock)):
                assert store.refresh() == self.model.version
            compare_all(store, self.model, self.seed)
            for basis, answer in self.answers.items():
                assert tuple(store.as_of(basis.valid_at, version=basis.version).edges()) == answer  # I2
            assert damage(store) == []
        finally:
            self.folder.cleanup()
