-- database: acme
-- columns: acme.ads.cost(day, campaign_id, network, spend, clicks, impressions)
-- columns: acme.ads.campaign(campaign_id, name, objective, account STRUCT<id STRING, currency STRING>)
-- columns: acme.fin.fx(day, currency, to_eur)
-- columns: acme.web.events(event_id, user_id, ts, utm_campaign, kind, value)
-- columns: acme.crm.users(user_id, country, created_at, is_internal)
-- edge: acme.ads.cost#day -> acme.mart.marketing#day IDENTITY
-- edge: acme.ads.campaign#name -> acme.mart.marketing#campaign TRANSFORMATION
-- edge: acme.ads.cost#network -> acme.mart.marketing#network IDENTITY
-- edge: acme.ads.cost#spend -> acme.mart.marketing#spend_eur AGGREGATION
-- edge: acme.fin.fx#to_eur -> acme.mart.marketing#spend_eur AGGREGATION
-- edge: acme.ads.cost#clicks -> acme.mart.marketing#clicks AGGREGATION
-- edge: acme.web.events#user_id -> acme.mart.marketing#signups AGGREGATION
-- edge: acme.web.events#kind -> acme.mart.marketing#signups CONDITIONAL
-- edge: acme.web.events#value -> acme.mart.marketing#revenue AGGREGATION
-- edge: acme.web.events#kind -> acme.mart.marketing#revenue CONDITIONAL
-- edge: acme.web.events#user_id -> acme.mart.marketing#new_country_users AGGREGATION
-- edge: acme.crm.users#country -> acme.mart.marketing#new_country_users CONDITIONAL
-- edge: acme.crm.users#created_at -> acme.mart.marketing#new_country_users CONDITIONAL
-- edge: acme.ads.cost#spend -> acme.mart.marketing#cac AGGREGATION
-- edge: acme.fin.fx#to_eur -> acme.mart.marketing#cac AGGREGATION
-- edge: acme.web.events#user_id -> acme.mart.marketing#cac AGGREGATION
-- edge: acme.web.events#kind -> acme.mart.marketing#cac CONDITIONAL
-- edge: acme.ads.cost#day -> acme.mart.marketing FILTER
-- edge: acme.ads.campaign#objective -> acme.mart.marketing FILTER
-- edge: acme.crm.users#is_internal -> acme.mart.marketing FILTER
-- edge: acme.web.events#ts -> acme.mart.marketing FILTER
-- edge: acme.web.events#utm_campaign -> acme.mart.marketing FILTER
-- edge: acme.ads.cost#campaign_id -> acme.mart.marketing JOIN
-- edge: acme.ads.campaign#campaign_id -> acme.mart.marketing JOIN
-- edge: acme.ads.cost#day -> acme.mart.marketing JOIN
-- edge: acme.fin.fx#day -> acme.mart.marketing JOIN
-- edge: acme.ads.campaign#account.currency -> acme.mart.marketing JOIN
-- edge: acme.fin.fx#currency -> acme.mart.marketing JOIN
-- edge: acme.web.events#user_id -> acme.mart.marketing JOIN
-- edge: acme.crm.users#user_id -> acme.mart.marketing JOIN
-- edge: acme.web.events#utm_campaign -> acme.mart.marketing JOIN
-- edge: acme.web.events#ts -> acme.mart.marketing JOIN
-- edge: acme.ads.cost#day -> acme.mart.marketing GROUP_BY
-- edge: acme.ads.cost#campaign_id -> acme.mart.marketing GROUP_BY
-- edge: acme.ads.campaign#name -> acme.mart.marketing GROUP_BY
-- edge: acme.ads.cost#network -> acme.mart.marketing GROUP_BY
-- edge: acme.web.events#ts -> acme.mart.marketing GROUP_BY
-- edge: acme.web.events#utm_campaign -> acme.mart.marketing GROUP_BY
-- completeness: complete

CREATE OR REPLACE TABLE `acme.mart.marketing`
PARTITION BY day
AS
WITH cost AS (
  SELECT
    a.day,
    a.campaign_id,
    LOWER(c.name) AS campaign,
    a.network,
    SUM(a.spend * fx.to_eur) AS spend_eur,
    SUM(a.clicks) AS clicks
  FROM ads.cost AS a
  JOIN ads.campaign AS c
    ON c.campaign_id = a.campaign_id
  JOIN fin.fx AS fx
    ON fx.day = a.day
   AND fx.currency = c.account.currency
  WHERE a.day >= '2024-01-01'
    AND c.objective <> 'BRAND'
  GROUP BY a.day, a.campaign_id, c.name, a.network
),
outcome AS (
  SELECT
    DATE(e.ts) AS day,
    e.utm_campaign AS campaign_id,
    COUNT(DISTINCT IF(e.kind = 'signup', e.user_id, NULL)) AS signups,
    SUM(IF(e.kind = 'purchase', e.value, 0)) AS revenue,
    COUNT(DISTINCT CASE
      WHEN u.country <> 'DE' AND u.created_at > '2024-01-01' THEN e.user_id
    END) AS new_country_users
  FROM web.events AS e
  JOIN crm.users AS u
    ON u.user_id = e.user_id
  WHERE NOT u.is_internal
    AND e.ts >= TIMESTAMP '2024-01-01'
    AND e.utm_campaign IS NOT NULL
  GROUP BY 1, 2
)
SELECT
  cost.day,
  cost.campaign,
  cost.network,
  cost.spend_eur,
  cost.clicks,
  outcome.signups,
  outcome.revenue,
  outcome.new_country_users,
  SAFE_DIVIDE(cost.spend_eur, outcome.signups) AS cac
FROM cost
LEFT JOIN outcome
  ON outcome.campaign_id = cost.campaign_id
 AND outcome.day = cost.day;
