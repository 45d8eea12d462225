-- columns: h.s.v(u,dt)
-- edge: h.s.v#dt -> h.d.u#dt IDENTITY
-- edge: h.s.v#u -> h.d.u#uv AGGREGATION
-- edge: h.s.v#dt -> h.d.u GROUP_BY
-- completeness: any

INSERT INTO h.d.u SELECT dt, approx_distinct(u) AS uv FROM h.s.v GROUP BY dt
