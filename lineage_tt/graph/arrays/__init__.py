"""The graph as arrays of numbers: names, rows, dictionaries, loading, and the compiled kernels over them.

This package does not make answers.
"""
