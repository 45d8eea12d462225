-- edge: kafka://b:9092:ev -> d.t TRANSFORMATION
-- completeness: any

CREATE ROUTINE LOAD d.job1 ON t COLUMNS TERMINATED BY ",", COLUMNS (a, b) FROM KAFKA ("kafka_broker_list" = "b:9092", "kafka_topic" = "ev")
