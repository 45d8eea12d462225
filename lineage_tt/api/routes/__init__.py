"""The paths of the service, one router a file; ``ROUTERS`` is all of them."""
