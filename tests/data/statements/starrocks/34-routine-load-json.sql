-- edge: kafka://b1:9092:ev -> d.t TRANSFORMATION
-- completeness: any

CREATE ROUTINE LOAD d.j ON t COLUMNS (a, b), WHERE a > 0 PROPERTIES ("format" = "json") FROM KAFKA ("kafka_broker_list" = "b1:9092,b2:9092", "kafka_topic" = "ev")
