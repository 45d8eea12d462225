"""One file a dialect or family: its rules as ``replace(PARENT, …)``, its names and its aliases.

A new dialect is a new file here, with ``DIALECTS``, and its statements in ``tests/data/statements``. Imports ``rules``,
its ``parts`` and the files of parents.
"""
