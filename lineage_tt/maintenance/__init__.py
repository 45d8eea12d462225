"""Checks of everything that is stored, and figures about it.

Repairs nothing; may import every package below the store.
"""
