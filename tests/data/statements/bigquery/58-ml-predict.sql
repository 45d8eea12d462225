-- completeness: complete
-- edge: ml.churn -> dw.ml TRANSFORMATION
-- edge: raw.u#act -> dw.ml FILTER
-- edge: raw.u#age -> dw.ml#predicted_label TRANSFORMATION
-- edge: raw.u#plan -> dw.ml#predicted_label TRANSFORMATION
-- edge: raw.u#user_id -> dw.ml#predicted_label TRANSFORMATION
-- edge: raw.u#user_id -> dw.ml#user_id IDENTITY

CREATE OR REPLACE TABLE dw.ml AS SELECT user_id, predicted_label FROM ML.PREDICT(MODEL ml.churn, (SELECT user_id, age, plan FROM raw.u WHERE act))
