-- columns: ods.page(id, ads)
-- columns: dw.ad(id, ad)
-- edge: ods.page#id -> dw.ad#id IDENTITY
-- edge: ods.page#ads -> dw.ad#ad TRANSFORMATION
-- completeness: complete

INSERT OVERWRITE TABLE dw.ad
SELECT id, ad FROM ods.page LATERAL VIEW EXPLODE(SPLIT(ads, ',')) t AS ad;
