; The last day of the story. What is planned for July and August is known; it has not happened yet.

# dws_funnel_daily update 2026-07-01T09:00:00+02:00 +6s lucia
> plays of videos are a step of their own
@@
-  count(DISTINCT CASE WHEN s.landing_page LIKE '%utm_campaign=%' THEN s.session_id END)
+  count(DISTINCT CASE WHEN s.landing_page LIKE '%utm_campaign=%' THEN s.session_id END),
+  count(DISTINCT v.session_id)
@@
-ALTER TABLE dws.funnel_daily ADD COLUMNS (from_campaign BIGINT);
+ALTER TABLE dws.funnel_daily ADD COLUMNS (from_campaign BIGINT, with_video BIGINT);
@@
 LEFT JOIN dwd.cart_events c ON c.session_id = s.session_id
+LEFT JOIN dwd.video_plays v ON v.session_id = s.session_id

# board_42 update 2026-08-01T06:00:00+02:00 2026-07-01T16:30:00+02:00 mei
> planned: the board says that its revenue is without VAT
edges hive:ads.revenue_board -> bi:board/42
  day channel orders average refunded
  revenue -> revenue_without_vat
