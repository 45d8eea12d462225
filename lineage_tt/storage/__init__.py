"""Bytes on a disk or in a bucket, locks, caches and crash points.

Knows nothing of lineage; imports ``model`` for errors and the clock.
"""
