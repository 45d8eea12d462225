"""Kafka: the change topic written and read. The one package that imports kafka-python, and only when it is used."""
