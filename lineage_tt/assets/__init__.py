"""Asset types and registers: what kind of thing each node of lineage is, and which nodes are known to exist.

``types`` and ``matching`` are pure; ``registers`` reads lists of what exists; ``listing`` appends to a store and
queries it. Types and registers are facts in the log, so they are known as of any point, like everything else. Imports
``model``, ``storage.toml_files`` and the store's questions; nothing from ``api`` or ``cli``.
"""
