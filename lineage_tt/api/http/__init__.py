"""Requests and problems as HTTP has them: bounds, parameters, schemas.

Asks the store nothing.
"""
