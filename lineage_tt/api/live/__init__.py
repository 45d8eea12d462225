"""Follows the log: detects new versions and keeps their events for readers of the change feed.

It imports ``api.reads``.
"""
