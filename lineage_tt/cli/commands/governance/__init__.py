"""The commands of governance, one module for each. Most of them load the graph into memory."""
