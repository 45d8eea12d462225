"""The graph as arrays of numbers: names, rows, dictionaries, loading, and the compiled kernels over them.

Makes no answers.
"""
