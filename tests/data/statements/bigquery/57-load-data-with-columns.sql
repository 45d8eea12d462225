-- completeness: complete
-- edge: gs://b:in/a.csv -> dw.t TRANSFORMATION

LOAD DATA OVERWRITE dw.t (id INT64, nm STRING) FROM FILES (format='CSV', uris=['gs://b/in/a.csv'])
