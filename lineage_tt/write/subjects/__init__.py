"""Subjects (tasks and nodes) as a writer holds them: timelines, items, and histories kept in memory or on disk.

Pure except for the spill file; imports ``model`` and ``timeline``.
"""
