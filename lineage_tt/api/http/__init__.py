"""HTTP requests and problems: limits, parameters, schemas.

This package does not query the store.
"""
