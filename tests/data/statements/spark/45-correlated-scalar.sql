-- columns: lab.sample(sample_id, patient_id, taken_at, marker, val)
-- columns: lab.range(marker, low, high)
-- edge: lab.sample#sample_id -> mart.abnormal#sample_id IDENTITY
-- edge: lab.sample#patient_id -> mart.abnormal#patient_id IDENTITY
-- edge: lab.sample#marker -> mart.abnormal#marker IDENTITY
-- edge: lab.sample#val -> mart.abnormal#val IDENTITY
-- edge: lab.range#high -> mart.abnormal#max_ref AGGREGATION
-- edge: lab.range#marker -> mart.abnormal FILTER
-- edge: lab.sample#marker -> mart.abnormal FILTER
-- edge: lab.sample#val -> mart.abnormal FILTER
-- edge: lab.range#low -> mart.abnormal FILTER
-- edge: lab.range#high -> mart.abnormal FILTER
-- completeness: complete

CREATE TABLE mart.abnormal AS
SELECT s.sample_id,
       s.patient_id,
       s.marker,
       s.val,
       (SELECT max(r.high) FROM lab.range r WHERE r.marker = s.marker) AS max_ref
FROM lab.sample s
WHERE EXISTS (
  SELECT 1 FROM lab.range r
  WHERE r.marker = s.marker AND (s.val < r.low OR s.val > r.high)
);
