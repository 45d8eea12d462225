"""Bytes on a disk or in a bucket, locks, caches and crash points.

Nothing here knows about lineage; imports ``model`` for errors and the clock.
"""
