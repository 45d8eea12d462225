"""One command, or a few of one kind, a file.

Imports ``cli`` beside it; no command imports another.
"""
