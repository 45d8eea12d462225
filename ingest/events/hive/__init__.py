"""Queries of Hive as its LineageLogger hook writes them. Imports ``ingest.sql.text``."""
