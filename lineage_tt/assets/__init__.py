"""Asset types and registers: what kind of thing each node of lineage is, and which of them somebody knows to exist.

``types`` and ``matching`` are pure; ``registers`` reads lists of what exists; ``listing`` appends to a store and asks
one. Types and registers are facts in the log, so they are known as of any point, as all else is. Imports ``model``,
``storage.toml_files`` and the store's questions; nothing of ``api`` or ``cli``.
"""
