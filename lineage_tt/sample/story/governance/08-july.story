; In July the company asks what its lineage is for. People state what they know: labels, owners, promises, rights.
; What holds since January is effective then, and known since July.

# facts label 2026-01-01T00:00:00+01:00 2026-07-02T10:00:00+02:00 saskia
> personal data, as it comes from the customer database and the shop
postgres://crm:5432:crm.public.customers#email | pii | confidential
postgres://crm:5432:crm.public.customers#phone | pii | confidential
postgres://crm:5432:crm.public.customers#first_name | pii
postgres://crm:5432:crm.public.customers#last_name | pii
postgres://crm:5432:crm.public.customers#birth_date | pii
kafka:prod/orders#shipping_address | pii | confidential

; The mailing house gets addresses under a contract, says the lawyer: a decision with an end.
# facts label-decision:confidential 2026-01-01T00:00:00+01:00 2026-07-02T10:20:00+02:00 saskia
> the contract with the mailing house covers it
hive:ads.newsletter_audience#email | downgrade internal

# facts owner 2026-01-01T00:00:00+01:00 2026-07-02T11:00:00+02:00 tomas
> who looks after what, from the wiki
hive:ods.orders | nora
hive:ods.payments | nora
hive:ods.customers | ivan
hive:ods.clicks | lucia
hive:dwd.orders | nora
hive:dwd.payments | nora
hive:dwd.refunds | nora
hive:dwd.shipments | nora
hive:dwd.customers | ivan
hive:dwd.products | ivan
hive:dwd.loyalty | ivan
hive:dwd.campaigns | lucia
hive:dwd.sessions | lucia
hive:dwd.fx | mei
hive:dws.revenue_daily | mei
hive:dws.margin_daily | mei
hive:dws.refund_rate | nora
hive:dws.customer_segments | lucia
hive:dws.funnel_daily | lucia
hive:ads.revenue_board | mei
hive:ads.finance_month | mei
hive:ads.executive_summary | mei
hive:ads.returns_report | nora
hive:ads.top_customers | lucia
hive:ads.newsletter_audience | lucia
bi:board/17 | lucia
bi:board/42 | mei
bi:board/58 | mei
bi:board/59 | mei

; The revenue board is the one that must be there at seven.
# facts sla 2026-01-01T00:00:00+01:00 2026-07-02T14:00:00+02:00 mei
> finance meets at half past seven
bi:board/42 | 07:00

# facts priority 2026-01-01T00:00:00+01:00 2026-07-02T14:00:00+02:00 mei
bi:board/42 | P1

# facts begins 2026-01-01T00:00:00+01:00 2026-07-02T14:05:00+02:00 tomas
> the shop closes its day at three
task:sync_orders | 03:00
task:sync_payments | 03:15
task:sync_refunds | 03:15
task:sync_fx_rates | 02:00

# facts duration 2026-01-01T00:00:00+01:00 2026-07-02T14:05:00+02:00 tomas
> medians of the scheduler, June
task:sync_orders | 20m
task:sync_payments | 25m
task:sync_refunds | 5m
task:sync_fx_rates | 2m
task:dwd_orders | 45m
task:dwd_payments | 50m
task:dwd_refunds | 10m
task:dwd_fx | 3m
task:dws_revenue_daily | 55m
task:ads_revenue_board | 10m
task:board_42 | 5m

# facts retention 2026-01-01T00:00:00+01:00 2026-07-02T15:00:00+02:00 tomas
> days; clicks go after a month
hive:ods.clicks | 30
hive:dws.funnel_daily | 400

# facts grant:marketing 2026-01-01T00:00:00+01:00 2026-07-02T15:30:00+02:00 saskia
> marketing reads the clean layer, and no copies of sources
hive:dwd.customers | read
hive:dwd.campaigns | read
hive:dwd.sessions | read
hive:dws.customer_segments | read

# facts grant:crm-team 2026-01-01T00:00:00+01:00 2026-07-02T15:30:00+02:00 saskia
hive:ods.customers | read | write
hive:dwd.customers | own

; Checks have looked at the revenue each morning; all was well.
# facts check:like_last_week 2026-07-02T06:10:00Z 2026-07-02T18:10:04+02:00 check-bot
hive:dws.revenue_daily#revenue | {"status": "passed", "kind": "anomaly"}

; A table that is there already: hive:dwd.campaigns has these columns.
# facts owner 2026-07-03T10:00:00+02:00 2026-07-03T09:58:00+02:00 lucia
hive:ads.campaign_calendar | lucia

# ads_campaign_calendar online 2026-07-03T10:00:00+02:00 +6s lucia spark/ads
> dates of the campaigns, for the summer
CREATE OR REPLACE TABLE ads.campaign_calendar USING delta AS
SELECT id AS campaign_id, name AS title, budget, starts_on
FROM ods.campaigns;

; Personal data reaches a board again, past the clean layer, from which phone numbers are about to go.
# ads_vip_calls online 2026-07-04T09:00:00+02:00 +5s lucia spark/ads
> the call centre rings the best customers
CREATE OR REPLACE TABLE ads.vip_calls USING delta AS
SELECT s.customer_id, s.segment, c.phone
FROM dws.customer_segments s
JOIN ods.customers c ON c.id = s.customer_id
WHERE s.segment = 'gold';

# board_60 online 2026-07-04T09:30:00+02:00 +40s lucia
> a board for the call centre
edges hive:ads.vip_calls -> bi:board/60
  segment phone

# facts owner 2026-07-04T09:00:00+02:00 2026-07-04T09:32:00+02:00 lucia
hive:ads.vip_calls | lucia
bi:board/60 | lucia

; A deployment loses the filter of test cards, and two nights of revenue are wrong.
# dwd_payments update 2026-07-05T04:00:00+02:00 +3s deploy-bot
> one text for production and test
@@
 WHERE dt = '${dt}'
-  AND NOT is_test
   AND amount > 0;

# facts check:like_last_week 2026-07-06T06:10:00Z 2026-07-06T08:10:05+02:00 check-bot
hive:dws.revenue_daily#revenue | {"status": "failed", "kind": "anomaly"}

; The filter is back.
# dwd_payments update 2026-07-06T11:00:00+02:00 +4s nora
> test cards are left out again
@@
 WHERE dt = '${dt}'
+  AND NOT is_test
   AND amount > 0;
