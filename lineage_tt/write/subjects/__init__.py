"""Subjects (tasks and nodes) as a writer holds them: timelines, items, and histories kept in memory or on disk.

Pure but for the spill file; imports ``model`` and ``timeline``.
"""
