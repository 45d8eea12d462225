"""The service: lineage over HTTP. ``lineage-tt serve`` runs it, ``lineage_tt.api.app.create_app`` makes it.

Nothing here is imported by ``import lineage_tt``: it needs ``pip install 'lineage-tt[server]'``.
"""
