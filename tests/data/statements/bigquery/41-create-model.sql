-- columns: p.d.t(a, b)
-- edge: p.d.t#a -> p.d.m#a IDENTITY
-- edge: p.d.t#b -> p.d.m#b IDENTITY
-- completeness: any

CREATE OR REPLACE MODEL `p.d.m` OPTIONS (model_type = 'logistic_reg', input_label_cols = ['b']) AS SELECT a, b FROM `p.d.t`
