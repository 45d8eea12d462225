"""Replacing files by others, and removing files that no commit names; no version is added.

Imports the log; code that appends does not import this package.
"""
