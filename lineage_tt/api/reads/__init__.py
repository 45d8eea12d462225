"""Questions answered for many threads at once: readings at one version, the name index, caches.

Independent of HTTP requests.
"""
