"""Fixtures of the tests that need an object store."""

from objectstores import bucket, object_store, own_object_store

__all__ = ["bucket", "object_store", "own_object_store"]
