"""Checking everything that is stored, and figures about it.

Repairs nothing; imports every room below the store.
"""
