-- columns: S.SALES(PROD, YR, AMT)
-- completeness: any
-- note: MODEL computes cells from others

CREATE TABLE d.f AS
SELECT prod, yr, amt FROM s.sales
MODEL PARTITION BY (prod) DIMENSION BY (yr) MEASURES (amt)
RULES (amt[2025] = amt[2024] * 1.1)
