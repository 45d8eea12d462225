"""Answers questions for many threads at once: readings at one version, the index of names, caches.

It does not depend on HTTP requests.
"""
