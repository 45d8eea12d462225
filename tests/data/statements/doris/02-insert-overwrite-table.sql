-- columns: dim.u(id, nm)
-- edge: ods.u#id -> dim.u#id IDENTITY
-- edge: ods.u#nm -> dim.u#nm TRANSFORMATION
-- completeness: any

INSERT OVERWRITE TABLE dim.u SELECT id, TRIM(nm) FROM ods.u;
