"""The sample in a store: what STORY.md tells is what the store answers."""

from __future__ import annotations

import pytest

from ingest.pipeline import Ingester
from lineage_tt import sample
from lineage_tt.model.answers import LogEntry
from lineage_tt.store import Store

AMT, AMOUNT = "hive:dwd.orders#amt", "hive:dwd.orders#amount"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store that holds the sample, imported as a history."""
    store = Store.create(tmp_path_factory.mktemp("story"))
    with Ingester(store, workers=1, system_times="recorded_at") as ingester:
        ingester.ingest_file(str(sample.messages()))
    return store


def entry(store: Store, event: str) -> LogEntry:
    """Return the log's row of an accepted event."""
    (result,) = [e for e in store.log() if e.event_id == event and e.status == "accepted"]
    return result


def edges(store: Store, task: str, valid_at: str, system_at: str = "now") -> set[tuple[str, str]]:
    """Return (source, target) of a task's edges in force at a point."""
    return {(e.source, e.target) for e in store.as_of(valid_at, system_at).edges() if e.task_id == task}


@pytest.mark.parametrize(
    "event",
    [
        *("dwd_refunds-2", "dws_sales_daily-2", "dws_payment_mix-2", "dwd_coupons-2", "ads_stock_alerts-2"),
        *("dws_delivery_times-2", "dws_basket_pairs-2", "dws_stock_cover-2", "dws_margin_daily-3", "dwd_fx-3"),
        *("dwd_campaigns-2", "dwd_refunds-3"),
    ],
)
def test_edits_without_changes(store: Store, event: str) -> None:
    """Comments, layout and other literals make a version, and no change."""
    found = entry(store, event)

    assert (found.plus, found.minus) == (0, 0)
    assert found.edges > 0


def test_the_feed_is_silent_about_them(store: Store) -> None:
    """The formatter's commits do not show in the feed."""
    assert "fmt-bot" not in {change.actor for change in store.changes()}


def test_refused_and_repeated_messages(store: Store) -> None:
    """Three messages are dead letters, each for its reason; the one delivered twice is in the log once."""
    letters = {letter.event_id: letter.code for letter in store.dead_letters()}

    assert letters == {
        "dws_funnel_daily-2": "invalid-message",
        "dws_campaign_visits-2": "conflicting-duplicate",
        "dws_payment_mix-3": "unknown-event",
    }
    assert [e.status for e in store.log() if e.event_id == "dwd_payments-2"] == ["accepted"]


def test_correction_at_the_same_effective_at(store: Store) -> None:
    """On 17 February the wrong file was believed; since the 18th the right one holds from the same midnight on."""
    delivered = "hive:dwd.shipments#delivered_at"
    noon = "2026-02-16T12:00:00Z"

    wrong = {s for s, t in edges(store, "dwd_shipments", noon, "2026-02-17T12:00:00Z") if t == delivered}
    right = {s for s, t in edges(store, "dwd_shipments", noon, "2026-02-18T12:00:00Z") if t == delivered}

    assert wrong == {"hive:ods.shipments#shipped_at"}
    assert right == {"hive:ods.shipments#delivered_at"}


def test_source_version_decides(store: Store) -> None:
    """The platform's third version of the ranking stays in force though its second one arrived later."""
    tasks = {task.task_id: task for task in store.as_of("2026-02-20T00:00:00Z").tasks()}

    assert tasks["dws_store_ranking"].source_version == 3
    assert tasks["dws_store_ranking"].version < entry(store, "dws_store_ranking-3").version


def test_late_correction_ends_at_the_next_known_version(store: Store) -> None:
    """The hotfix is in force from 2 March to the release of 10 March, and only as known since the 24th."""
    edge = ("hive:ods.payments#amount", "hive:dws.revenue_daily#revenue")
    points = ["2026-03-02T19:39:59Z", "2026-03-02T19:40:00Z", "2026-03-10T03:59:59Z", "2026-03-10T04:00:00Z"]

    assert [edge in edges(store, "dws_revenue_daily", at) for at in points] == [False, True, True, False]
    assert edge not in edges(store, "dws_revenue_daily", points[1], "2026-03-24T15:12:39Z")
    assert edge in edges(store, "dws_revenue_daily", points[1], "2026-03-24T15:12:40Z")


def test_text_that_does_not_parse_keeps_its_tables(store: Store) -> None:
    """For the hour without its bracket the task is not silently empty."""
    found = entry(store, "dws_coupon_effect-2")

    assert found.coverage in ("partial", "opaque")
    assert ("hive:dwd.coupons", "hive:dws.coupon_effect") in edges(store, "dws_coupon_effect", "2026-03-18T14:30:00Z")


def test_readers_follow_a_rename_one_by_one(store: Store) -> None:
    """Fewer and fewer tasks read the column's old name, until nobody does."""

    def readers(day: str) -> set[str]:
        steps = store.as_of(f"2026-05-{day}T12:00:00Z").downstream(AMT, depth=1).steps
        return {step.edge.task_id for step in steps}

    before = {"dwd_coupons", "dwd_order_events", "dws_cohorts", "dws_order_wide", "dws_sales_daily"}
    assert [readers(day) for day in ("03", "04", "05", "06", "11")] == [
        before,
        before - {"dws_order_wide"},  # a star: the store follows by itself
        {"dws_cohorts", "dws_sales_daily"},
        {"dws_cohorts"},
        set(),
    ]


def test_a_star_sees_the_columns_of_its_own_day(store: Store) -> None:
    """The day its source renames a column a star has other edges; deployed again four days later, it has the same."""
    days = ("03", "04", "07", "08")
    before, since, old, new = (edges(store, "dws_order_wide", f"2026-05-{day}T12:00:00Z") for day in days)

    assert (AMT, "hive:dws.order_wide#amt") in before - since
    assert (AMOUNT, "hive:dws.order_wide#amount") in since - before
    assert since == old == new
    (derived,) = [e for e in store.log(task_id="dws_order_wide") if e.derived_from is not None]
    assert derived.cause == "dwd_orders-2"


def test_retract_and_new_statement(store: Store) -> None:
    """The segments' rule was believed to hold from 2 April; since the 7th it is known to hold from the 20th."""
    edge = ("hive:dws.loyalty_balance#balance", "hive:dws.customer_segments#segment")

    assert edge in edges(store, "dws_customer_segments", "2026-04-10T00:00:00Z", "2026-04-06T00:00:00Z")
    assert edge not in edges(store, "dws_customer_segments", "2026-04-10T00:00:00Z")
    assert edge in edges(store, "dws_customer_segments", "2026-04-20T00:00:00Z")


def test_retract_of_a_retract(store: Store) -> None:
    """A withdrawal that is withdrawn itself leaves the update in force, and the day between remembers the error."""
    edge = ("hive:dwd.cart_events#qty", "hive:dwd.inventory_daily#available")
    points = ["2026-04-22T12:00:00Z", "2026-04-23T12:00:00Z", "2026-04-24T12:00:00Z"]

    believed = [edge in edges(store, "dwd_inventory_daily", "2026-04-22T06:00:00Z", at) for at in points]

    assert believed == [True, False, True]


def test_offline_and_back(store: Store) -> None:
    """The alerts have no edges while offline, and others after they come back; the basket pairs never do."""
    on, off, back = (edges(store, "ads_stock_alerts", f"2026-{day}T00:00:00Z") for day in ("03-16", "04-01", "05-21"))

    assert on
    assert off == set()
    assert back
    assert back != on
    assert "dws_basket_pairs" not in {task.task_id for task in store.as_of().tasks()}


def test_three_versions_within_a_second(store: Store) -> None:
    """Each of the three deployments is in force for its part of the second."""
    landing = "hive:dwd.sessions#landing_page"
    found = []
    for at in ("22.099999", "22.100000", "22.450000", "22.800000"):
        view = store.as_of(f"2026-06-09T10:15:{at}Z")
        (expression,) = {e.expression for e in view.edges() if e.target == landing and e.task_id == "dwd_sessions"}
        tasks = {task.task_id: task.source_version for task in view.tasks()}
        found.append((tasks["dwd_sessions"], "PARSE_URL" in expression))

    assert found == [(2, False), (3, True), (4, False), (5, False)]


def test_a_plan_is_put_off(store: Store) -> None:
    """Revenue without VAT was planned for 15 June, then for nothing, then for August; now it is August."""
    rate = ("hive:dwd.vat_rates#rate", "hive:dws.revenue_daily#revenue")
    known = ["2026-06-07T00:00:00Z", "2026-06-09T00:00:00Z", "2026-06-11T00:00:00Z"]

    june = [rate in edges(store, "dws_revenue_daily", "2026-06-20T00:00:00Z", at) for at in known]
    august = [rate in edges(store, "dws_revenue_daily", "2026-08-02T00:00:00Z", at) for at in known]

    assert (june, august) == ([True, False, False], [True, False, True])
