"""The routes of governance, a file each area. They need the graph in memory."""
