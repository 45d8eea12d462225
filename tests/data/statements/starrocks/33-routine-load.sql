-- edge: kafka://b:9092:ev -> d.t TRANSFORMATION
-- completeness: any

CREATE ROUTINE LOAD d.j ON t COLUMNS (a, b, c = a + b) FROM KAFKA ("kafka_broker_list" = "b:9092", "kafka_topic" = "ev")
