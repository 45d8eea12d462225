"""The commands: one module for one command, or for a few related ones.

The modules import the rest of ``cli``, and share options and helpers with one another.
"""
