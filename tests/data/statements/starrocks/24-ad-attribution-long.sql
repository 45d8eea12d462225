-- columns: ods.imp(req_id, uid, ad_id, ts, cost, dt)
-- columns: ods.clk(req_id, ts, dt)
-- columns: ods.conv(uid, ad_id, value, ts, dt)
-- columns: dim.ad(ad_id, advertiser, bid_type)
-- columns: ads.perf(dt, advertiser, imps, clks, cost, conv_value, roi)
-- edge: ods.imp#dt -> ads.perf#dt IDENTITY
-- edge: dim.ad#advertiser -> ads.perf#advertiser IDENTITY
-- edge: ods.imp#req_id -> ads.perf#imps AGGREGATION
-- edge: ods.clk#req_id -> ads.perf#clks AGGREGATION
-- edge: ods.imp#cost -> ads.perf#cost AGGREGATION
-- edge: dim.ad#bid_type -> ads.perf#cost CONDITIONAL
-- edge: ods.clk#req_id -> ads.perf#cost CONDITIONAL
-- edge: ods.conv#value -> ads.perf#conv_value AGGREGATION
-- edge: ods.conv#value -> ads.perf#roi AGGREGATION
-- edge: ods.imp#cost -> ads.perf#roi AGGREGATION
-- edge: dim.ad#bid_type -> ads.perf#roi CONDITIONAL
-- edge: ods.clk#req_id -> ads.perf#roi CONDITIONAL
-- edge: ods.imp#dt -> ads.perf FILTER
-- edge: ods.clk#dt -> ads.perf FILTER
-- edge: ods.conv#dt -> ads.perf FILTER
-- edge: ods.imp#req_id -> ads.perf JOIN
-- edge: ods.clk#req_id -> ads.perf JOIN
-- edge: ods.imp#ad_id -> ads.perf JOIN
-- edge: dim.ad#ad_id -> ads.perf JOIN
-- edge: ods.imp#uid -> ads.perf JOIN
-- edge: ods.conv#uid -> ads.perf JOIN
-- edge: ods.conv#ad_id -> ads.perf JOIN
-- edge: ods.imp#dt -> ads.perf GROUP_BY
-- edge: dim.ad#advertiser -> ads.perf GROUP_BY
-- edge: ods.conv#uid -> ads.perf GROUP_BY
-- edge: ods.conv#ad_id -> ads.perf GROUP_BY
-- completeness: complete

INSERT OVERWRITE ads.perf (dt, advertiser, imps, clks, cost, conv_value, roi)
WITH imp AS (
    SELECT req_id, uid, ad_id, cost, dt FROM ods.imp WHERE dt = '2024-04-01'
), clk AS (
    SELECT req_id FROM ods.clk WHERE dt = '2024-04-01'
), conv AS (
    SELECT uid, ad_id, SUM(value) AS value
    FROM ods.conv
    WHERE dt >= '2024-04-01'
    GROUP BY uid, ad_id
), joined AS (
    SELECT i.dt, a.advertiser, i.req_id, c.req_id AS click_id, v.value,
           CASE WHEN a.bid_type = 'CPM' THEN i.cost
                WHEN c.req_id IS NOT NULL THEN i.cost
                ELSE 0 END AS cost
    FROM imp i
    JOIN dim.ad a ON i.ad_id = a.ad_id
    LEFT JOIN clk c ON i.req_id = c.req_id
    LEFT JOIN conv v ON i.uid = v.uid AND i.ad_id = v.ad_id
)
SELECT dt, advertiser, COUNT(DISTINCT req_id), COUNT(DISTINCT click_id),
       SUM(cost), SUM(value), SUM(value) / SUM(cost)
FROM joined
GROUP BY dt, advertiser;
