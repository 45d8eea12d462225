"""Requests and problems at the level of HTTP: limits, parameters, schemas.

Does not query the store.
"""
