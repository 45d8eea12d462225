"""The browser: pages, styles, ES modules and their texts, served as they are by the service. No bundler, no build.

``files.py`` reads them; the rest of the folder is what a browser gets. ``vendor`` is made by ``scripts/vendor-ui``.
Imports nothing of the store.
"""
