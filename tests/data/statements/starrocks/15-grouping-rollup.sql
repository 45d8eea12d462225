-- columns: ads.s(r, p, amt)
-- edge: dws.s#r -> ads.s#r IDENTITY
-- edge: dws.s#p -> ads.s#p IDENTITY
-- edge: dws.s#amt -> ads.s#amt AGGREGATION
-- edge: dws.s#r -> ads.s GROUP_BY
-- edge: dws.s#p -> ads.s GROUP_BY
-- completeness: any

INSERT INTO ads.s SELECT r, p, SUM(amt) FROM dws.s GROUP BY ROLLUP(r, p);
