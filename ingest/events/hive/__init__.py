"""Queries of Hive as its LineageLogger hook and Atlas' hooks report them. Imports ``ingest.sql.text``."""
