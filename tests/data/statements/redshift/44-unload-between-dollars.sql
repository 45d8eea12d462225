-- columns: dw.s(store_id, amt, d)
-- columns: dim.st(store_id, region)
-- edge: dim.st#region -> s3://out:sales/ GROUP_BY
-- edge: dim.st#region -> s3://out:sales/#region IDENTITY
-- edge: dim.st#store_id -> s3://out:sales/ JOIN
-- edge: dw.s#amt -> s3://out:sales/#amt AGGREGATION
-- edge: dw.s#d -> s3://out:sales/ FILTER
-- edge: dw.s#d -> s3://out:sales/ GROUP_BY
-- edge: dw.s#d -> s3://out:sales/#d IDENTITY
-- edge: dw.s#store_id -> s3://out:sales/ JOIN
-- completeness: complete

UNLOAD ($$SELECT st.region, s.d, SUM(s.amt) AS amt FROM dw.s s JOIN dim.st st USING (store_id) WHERE s.d > '2024-01-01' GROUP BY st.region, s.d$$)
TO 's3://out/sales/' IAM_ROLE default FORMAT PARQUET PARTITION BY (region) ALLOWOVERWRITE;
