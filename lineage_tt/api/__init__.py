"""The HTTP service. ``lineage-tt serve`` runs it; ``lineage_tt.api.app.create_app`` returns the application.

``import lineage_tt`` does not import this package: it requires ``pip install 'lineage-tt[server]'``.
"""
