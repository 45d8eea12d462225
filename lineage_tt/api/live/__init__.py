"""Following the log: new versions noticed, events kept for followers.

Imports ``api.reads``.
"""
