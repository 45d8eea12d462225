"""The commands of governance, a file each: what lineage is asked for at work. They load the graph into memory."""
