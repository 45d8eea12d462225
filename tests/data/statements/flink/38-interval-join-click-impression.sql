-- columns: ads.impression(imp_id, ad_id, shown_at)
-- columns: ads.click(click_id, imp_id, clicked_at)
-- columns: ads.ctr_input(ad_id, imp_id, click_id, wait_s)
-- edge: ads.impression#ad_id -> ads.ctr_input#ad_id IDENTITY
-- edge: ads.impression#imp_id -> ads.ctr_input#imp_id IDENTITY
-- edge: ads.click#click_id -> ads.ctr_input#click_id IDENTITY
-- edge: ads.impression#shown_at -> ads.ctr_input#wait_s TRANSFORMATION
-- edge: ads.click#clicked_at -> ads.ctr_input#wait_s TRANSFORMATION
-- edge: ads.impression#imp_id -> ads.ctr_input JOIN
-- edge: ads.click#imp_id -> ads.ctr_input JOIN
-- edge: ads.click#clicked_at -> ads.ctr_input JOIN
-- edge: ads.impression#shown_at -> ads.ctr_input JOIN
-- completeness: complete

INSERT INTO ads.ctr_input
SELECT i.ad_id,
       i.imp_id,
       k.click_id,
       TIMESTAMPDIFF(SECOND, i.shown_at, k.clicked_at)
FROM ads.impression i
JOIN ads.click k
  ON k.imp_id = i.imp_id
 AND k.clicked_at BETWEEN i.shown_at AND i.shown_at + INTERVAL '1' HOUR;
