-- edge: d.q#msg -> d.t#m TRANSFORMATION
-- completeness: any

CREATE TABLE d.q (msg String) ENGINE = Kafka SETTINGS kafka_broker_list = 'b:9092', kafka_topic_list = 'ev', kafka_group_name = 'g', kafka_format = 'JSONEachRow';
CREATE MATERIALIZED VIEW d.q_mv TO d.t AS SELECT upper(msg) AS m FROM d.q;
