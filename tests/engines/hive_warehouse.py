"""A typical Hive warehouse: 30 tasks in 57 messages, none of which declares columns.

The layers are ``ods`` (copies of source systems, by star or by name), ``dim`` (dimensions), ``dwd`` (details) and
``dws`` (sums), mostly overwritten by partition, and ``ads`` (reports). Later messages edit texts, and take one task
offline.
"""

from __future__ import annotations

from typing import Final

from lineage_tt.model.messages import Op, TaskChange

START: Final = 1_704_067_200_000_000  # 2024-01-01T00:00:00Z
DAY: Final = 86_400_000_000

#: Tasks that copy a source by star: their texts do not name the columns.
BY_STAR: Final = {
    "ods_orders": "CREATE TABLE ods.orders AS SELECT * FROM src_mall.orders",
    "ods_users": "CREATE TABLE ods.users AS SELECT * FROM src_mall.users WHERE deleted = 0",
    "ods_items": "INSERT OVERWRITE TABLE ods.items PARTITION (dt='${bizdate}') SELECT * FROM src_mall.items",
    "ods_coupons": "INSERT OVERWRITE TABLE ods.coupons PARTITION (dt='${bizdate}') SELECT t.* FROM src_mall.coupons t",
    "dwd_refunds": "INSERT OVERWRITE TABLE dwd.refunds PARTITION (dt='${bizdate}') "
    "SELECT r.*, o.user_id FROM ods.refunds r JOIN ods.orders o ON r.order_id = o.id",
}

#: Tasks that name every column they use.
BY_NAME: Final = {
    "ods_order_items": "INSERT OVERWRITE TABLE ods.order_items PARTITION (dt='${bizdate}') "
    "SELECT id, order_id, item_id, quantity, price FROM src_mall.order_items WHERE updated_at >= '${bizdate}'",
    "ods_refunds": "INSERT OVERWRITE TABLE ods.refunds PARTITION (dt='${bizdate}') "
    "SELECT id, order_id, amount AS refund_amount, reason, created_at FROM src_mall.refunds",
    "ods_payments": "INSERT OVERWRITE TABLE ods.payments PARTITION (dt='${bizdate}') "
    "SELECT p.id, p.order_id, p.paid, p.channel, p.paid_at FROM src_pay.payments p WHERE p.state = 'ok'",
    "ods_events": "INSERT OVERWRITE TABLE ods.events PARTITION (dt, hr) SELECT get_json_object(line, '$.uid') "
    "AS user_id, "
    "get_json_object(line, '$.page') AS page, ts, to_date(ts) AS dt, hour(ts) AS hr FROM src_log.clicks",
    "ods_regions": "INSERT OVERWRITE TABLE ods.regions SELECT code, name, parent_code FROM src_mall.regions",
    "dim_users": "INSERT OVERWRITE TABLE dim.users SELECT u.id AS user_id, u.gender, u.city_code, r.name AS city, "
    "u.registered_at FROM ods.users u LEFT JOIN ods.regions r ON u.city_code = r.code",
    "dim_items": "INSERT OVERWRITE TABLE dim.items PARTITION (dt='${bizdate}') SELECT id AS item_id, title, "
    "category_id, "
    "CASE WHEN price > 1000 THEN 'high' ELSE 'low' END AS price_band FROM ods.items WHERE dt = '${bizdate}'",
    "dim_dates": "INSERT OVERWRITE TABLE dim.dates SELECT day, year(day) AS y, month(day) AS m FROM src_cal.days",
    "dwd_orders": "INSERT OVERWRITE TABLE dwd.orders PARTITION (dt='${bizdate}') SELECT o.id AS order_id, o.user_id, "
    "o.created_at, coalesce(o.amount, 0) AS amount, p.paid, p.channel FROM ods.orders o LEFT JOIN (SELECT order_id, "
    "sum(paid) AS paid, max(channel) AS channel FROM ods.payments WHERE dt = '${bizdate}' GROUP BY order_id) p "
    "ON o.id = p.order_id",
    "dwd_order_items": "INSERT OVERWRITE TABLE dwd.order_items PARTITION (dt='${bizdate}') SELECT i.order_id, "
    "i.item_id, "
    "i.quantity, i.price * i.quantity AS total, d.category_id FROM ods.order_items i JOIN dim.items d "
    "ON i.item_id = d.item_id AND d.dt = i.dt WHERE i.dt = '${bizdate}'",
    "dwd_sessions": "INSERT OVERWRITE TABLE dwd.sessions PARTITION (dt='${bizdate}') SELECT user_id, min(ts) AS began, "
    "max(ts) AS ended, count(*) AS pages FROM ods.events WHERE dt = '${bizdate}' GROUP BY user_id",
    "dwd_pages": "INSERT OVERWRITE TABLE dwd.pages PARTITION (dt) SELECT page, user_id, row_number() OVER "
    "(PARTITION BY "
    "user_id ORDER BY ts) AS place, dt FROM ods.events",
    "dwd_coupons": "INSERT OVERWRITE TABLE dwd.coupons SELECT c.id AS coupon_id, c.user_id, c.worth, o.order_id "
    "FROM ods.coupons c LEFT JOIN dwd.orders o ON c.order_id = o.order_id",
    "dws_users": "INSERT OVERWRITE TABLE dws.users PARTITION (dt='${bizdate}') SELECT o.user_id, count(1) AS orders, "
    "sum(o.amount) AS amount, max(o.created_at) AS last_order FROM dwd.orders o GROUP BY o.user_id",
    "dws_items": "INSERT OVERWRITE TABLE dws.items PARTITION (dt='${bizdate}') SELECT item_id, sum(quantity) AS sold, "
    "sum(total) AS revenue FROM dwd.order_items WHERE dt = '${bizdate}' GROUP BY item_id",
    "dws_channels": "INSERT OVERWRITE TABLE dws.channels PARTITION (dt) SELECT channel, sum(paid) AS paid, dt "
    "FROM dwd.orders GROUP BY channel, dt",
    "dws_cities": "INSERT OVERWRITE TABLE dws.cities PARTITION (dt='${bizdate}') SELECT u.city, sum(s.amount) "
    "AS amount, "
    "count(DISTINCT s.user_id) AS buyers FROM dws.users s JOIN dim.users u ON s.user_id = u.user_id GROUP BY u.city",
    "dws_funnel": "WITH seen AS (SELECT user_id, dt FROM dwd.sessions), bought AS (SELECT DISTINCT user_id, dt FROM "
    "dwd.orders) INSERT OVERWRITE TABLE dws.funnel PARTITION (dt) SELECT count(seen.user_id) AS visitors, "
    "count(bought.user_id) AS buyers, seen.dt FROM seen LEFT JOIN bought ON seen.user_id = bought.user_id "
    "AND seen.dt = bought.dt GROUP BY seen.dt",
    "dws_months": "INSERT OVERWRITE TABLE dws.months SELECT d.y, d.m, sum(o.amount) AS amount FROM dwd.orders o "
    "JOIN dim.dates d ON to_date(o.created_at) = d.day GROUP BY d.y, d.m",
    "ads_revenue": "INSERT OVERWRITE TABLE ads.revenue PARTITION (dt='${bizdate}') SELECT c.city, c.amount, c.amount / "
    "c.buyers AS per_buyer FROM dws.cities c WHERE c.dt = '${bizdate}'",
    "ads_top_items": "INSERT OVERWRITE TABLE ads.top_items SELECT q.title, q.revenue FROM (SELECT d.title, s.revenue, "
    "rank() OVER (ORDER BY s.revenue DESC) AS place FROM dws.items s JOIN dim.items d ON s.item_id = d.item_id) q "
    "WHERE q.place <= 100",
    "ads_funnel": "INSERT OVERWRITE TABLE ads.funnel SELECT dt, buyers / visitors AS rate FROM dws.funnel",
    "ads_channels": "INSERT OVERWRITE TABLE ads.channels SELECT channel, paid, paid / sum(paid) OVER (PARTITION BY dt) "
    "AS share, dt FROM dws.channels",
    "ads_months": "INSERT OVERWRITE TABLE ads.months SELECT concat(y, '-', m) AS month, amount FROM dws.months "
    "UNION ALL SELECT 'all' AS month, sum(amount) AS amount FROM dws.months",
    "ads_refunds": "INSERT OVERWRITE TABLE ads.refunds SELECT u.city, sum(r.refund_amount) AS refunded FROM "
    "dwd.refunds r "
    "JOIN dim.users u ON r.user_id = u.user_id WHERE r.dt = '${bizdate}' GROUP BY u.city",
}  # fmt: skip


def messages() -> list[TaskChange]:
    """Return the 57 messages in order: all tasks go online, all but four are edited later, and one goes offline."""
    tasks = BY_STAR | BY_NAME
    result = [_message(task, "online", number, text) for number, (task, text) in enumerate(tasks.items())]
    edited = [task for task in tasks if task not in ("ods_regions", "dim_dates", "ads_channels", "ods_users")]
    for number, task in enumerate(edited):
        result.append(_message(task, "update", 40 + number, "-- reviewed\n" + tasks[task]))
    result.append(_message("ads_months", "offline", 90, None))
    return result


def _message(task: str, op: Op, day: int, text: str | None) -> TaskChange:
    at = START + day * DAY
    return TaskChange(
        f"{task}/{op}",
        task,
        op,
        at,
        sql=text,
        dialect="hive",
        namespace="hive",
        params={"bizdate": "2024-01-01"},
    )
