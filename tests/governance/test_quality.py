"""Quality of the lineage itself: figures beside a plain count over the sample, flapping, agreement, lateness."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import orjson
import pytest
from rounds import rounds

from ingest.pipeline import Ingester
from lineage_tt import Store, sample
from lineage_tt.cli.app import run
from lineage_tt.curation import statements
from lineage_tt.governance.upkeep.quality.groups import layer_of
from lineage_tt.governance.upkeep.quality.quality import quality
from lineage_tt.model.edges import ALIAS, dataset_of, is_star
from lineage_tt.subscriptions.model import RefusedError, Subscription
from lineage_tt.subscriptions.outbox import Outbox
from lineage_tt.subscriptions.runner import Runner
from lineage_tt.subscriptions.stored import subscribe
from lineage_tt.testing import ManualClock, task_change

HOUR, DAY = 3_600_000_000, 86_400_000_000


@pytest.fixture(scope="module")
def retail(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The sample."""
    store = Store.create(tmp_path_factory.mktemp("quality") / "store")
    with Ingester(store, workers=1, system_times="history") as ingester:
        ingester.ingest_file(str(sample.messages()))
    return store


@pytest.mark.parametrize("seed", range(rounds(6)))
def test_figures_are_those_of_a_plain_count(retail: Store, seed: int) -> None:
    """At random points of the sample: tasks, edges and sourced columns by layer, counted one by one."""
    print(f"seed {seed}")
    chance = random.Random(seed)
    at = retail.instant("2026-01-10T00:00:00Z") + chance.randrange(170) * DAY
    version = chance.randrange(40, retail.version + 1)
    asks = retail.governance()
    view = retail.as_of(at, version=version)

    found = {row.group: row for row in asks.quality(asks.basis(at, version=version), "layer").groups}

    edges = [edge for edge in view.edges() if edge.subtype != ALIAS and not is_star(edge.target)]
    into: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    tasks: dict[str, set[str]] = defaultdict(set)
    sourced: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        layer = layer_of(dataset_of(edge.target))
        into[layer].add(edge[:6])
        tasks[layer].add(edge.task_id)
        if edge.type == "DIRECT" and "#" in edge.target:
            sourced[layer].add(edge.target)
    assert edges
    in_force = {task.task_id: task for task in view.tasks()}
    for layer, expected in tasks.items():
        assert found[layer].edges >= len(into[layer])
        assert found[layer].columns_sourced >= len(sourced[layer])
        assert found[layer].tasks >= len(expected)
        if not found[layer].by_star:
            assert (found[layer].edges, found[layer].columns_sourced) == (len(into[layer]), len(sourced[layer]))
    whole = asks.quality(asks.basis(at, version=version)).groups[0]
    coverages = [task.coverage for task in in_force.values()]
    assert whole.tasks == len(in_force)
    assert (whole.partial, whole.opaque) == (coverages.count("partial"), coverages.count("opaque"))
    assert sum(whole.to_commit.values()) == len(in_force)
    assert whole.reasons == {
        code: sum(code in {reason.code for reason in task.reasons} for task in in_force.values())
        for code in sorted({reason.code for task in in_force.values() for reason in task.reasons})
    }


def test_agreement_lateness_age_and_what_is_by_hand_make_the_figures(tmp_path: Path) -> None:
    """Engine and SQL agree on 9 of 12 pairs; one message came two hours late; one edge of three is stated by hand."""
    clock = ManualClock("2024-01-01T02:00:00Z")
    store = Store.create(tmp_path / "s", clock=clock)
    load = task_change("load", "online", "2024-01-01T00:00:00Z", [("hive:s#a", "hive:dw.t#a")])
    load.recorded_at = store.instant("2024-01-01T02:00:00Z")
    load.attributes = orjson.dumps({"openlineage": {"agreement": {"both": 9, "engine": 2, "sql": 1}}}).decode()
    clock.advance(10_000_000)
    store.append([load, task_change("other", "online", "2024-01-01T00:00:00Z", [("hive:s#b", "hive:dw.t#b")])])
    statements.state_edge(store, "add", "hive:s#c", "hive:dw.t#c", kind=("DIRECT", None, ""), at="2024-01-01T00:00:00Z")
    asks = store.governance()

    (found,) = asks.quality(asks.basis("2024-02-01T00:00:00Z"), days=20).groups

    assert found.agreement == pytest.approx(0.75)
    assert (found.coverage, found.fix) == (1.0, "correct")
    assert (found.edges, found.by_hand, found.stale, found.tasks) == (3, 1, 2, 2)
    assert found.to_message["day"] == 1
    assert (found.to_commit["minute"], found.to_commit["day"]) == (1, 1)
    assert (found.columns, found.columns_sourced) == (3, 3)


def test_an_edge_that_comes_and_goes_flaps_until_the_window_has_passed(tmp_path: Path) -> None:
    """Begun three times in three weeks; in summer it is forgotten, and as known before nothing flapped."""
    store = Store.create(tmp_path / "s", clock=ManualClock("2024-06-01T00:00:00Z"))
    edge = [("hive:a#x", "hive:b#x")]
    for week in range(3):
        on, off = f"2024-01-{1 + 7 * week:02}T00:00:00Z", f"2024-01-{3 + 7 * week:02}T00:00:00Z"
        store.append([task_change("t", "online", on, edge), task_change("t", "offline", off)])
    asks = store.governance()

    assert [each.began for each in asks.quality(asks.basis("2024-01-20T00:00:00Z")).flapping] == [3]
    assert asks.quality(asks.basis("2024-01-20T00:00:00Z", version=4)).flapping == []
    assert asks.quality(asks.basis("2024-06-01T00:00:00Z")).flapping == []


def test_the_same_basis_gives_the_same_figures_whatever_comes_later(retail: Store) -> None:
    """Nothing is kept: figures at a version are those before more was stored."""
    asks = retail.governance()
    basis = asks.basis("2026-05-01T00:00:00Z", version=100)
    before = quality(asks.points, asks.points.at(basis), "namespace")

    retail.append([task_change("later", "online", "2026-01-06T00:00:00Z", [("hive:x#a", "hive:y#a")])])

    again = retail.governance()
    assert quality(again.points, again.points.at(basis), "namespace") == before


def test_how_long_messages_took_to_their_subscribers_is_a_histogram(tmp_path: Path) -> None:
    """Two of three messages in force were delivered: one at once, one, given up first, two hours later."""
    clock = ManualClock("2024-01-01T00:00:00Z")
    store = Store.create(tmp_path / "s", clock=clock)
    subscribe(store, Subscription("all", tasks=("early", "late")), None)
    refused = {"late"}

    def write(line: str) -> None:
        if any(f'"task:{name}"' in line or f'"{name}"' in line for name in refused):
            raise RefusedError("not now")

    with Outbox(tmp_path / "s" / "deliveries.sqlite") as outbox:
        for name in ("early", "late", "nobody"):
            store.append([task_change(name, "online", "2024-01-01T00:00:00Z", [(f"hive:s#{name}", f"hive:t#{name}")])])
            clock.advance(1_000_000)
        Runner(store, outbox, write=write).run(until_end=True)
        assert [each.version for each in outbox.undelivered()] == [3]
        refused.clear()
        clock.advance(2 * HOUR)
        assert Runner(store, outbox, write=write).resend(None) == 1
        (found,) = store.governance().quality().groups

    assert {name: count for name, count in found.to_delivery.items() if count} == {"minute": 1, "day": 1}
    assert sum(found.to_commit.values()) == found.tasks == 3


def test_histograms_are_shown_beside_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A message said an hour late and stored at once: in text a row for each wait, left out where nobody wants it."""
    store = Store.create(tmp_path / "s", clock=ManualClock("2024-01-01T01:00:00Z"))
    load = task_change("t", "online", "2024-01-01T00:00:00Z", [("hive:s#x", "hive:t#x")])
    load.recorded_at = store.instant("2024-01-01T01:00:00Z")
    store.append([load])

    def lines(*words: str) -> list[list[str]]:
        assert run(["quality", "--valid-at", "2024-01-02T00:00:00Z", "--store", str(tmp_path / "s"), *words]) == 0
        return [line.split() for line in capsys.readouterr().out.splitlines()]

    assert ["all", "effect", "…", "message", "1"] in lines()
    assert ["all", "message", "…", "store", "1"] in lines()
    assert ["hive", "effect", "…", "message", "1"] in lines("--by", "namespace", "--timeliness")
    assert not any("…" in line for line in [*lines("--by", "namespace"), *lines("--no-timeliness")])
