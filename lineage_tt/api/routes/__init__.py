"""The routes of the service, one router in each file. ``ROUTERS`` of ``api.app`` lists them."""
