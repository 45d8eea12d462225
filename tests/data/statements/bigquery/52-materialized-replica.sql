-- completeness: any

CREATE MATERIALIZED VIEW `p.d.r` AS REPLICA OF `p.d.mv`
