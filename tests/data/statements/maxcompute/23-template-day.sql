-- columns: ods.t(id, v, ds)
-- columns: dw.t(id, v, ds)
-- edge: ods.t#id -> dw.t#id IDENTITY
-- edge: ods.t#v -> dw.t#v IDENTITY
-- edge: ods.t#ds -> dw.t FILTER
-- completeness: any

INSERT OVERWRITE TABLE dw.t PARTITION (ds='${bizdate}')
SELECT id, v FROM ods.t WHERE ds = '${bizdate}';
