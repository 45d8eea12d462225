"""The routes of governance, one file for each area. Most require the graph in memory."""
