"""SQL texts to extractions in processes that may hang or die.

Knows neither store nor messages; imports ``ingest.sql`` inside a worker only.
"""
