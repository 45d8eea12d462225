"""What is true of one dialect: names, quoting, precedence, unnamed columns, functions.

A rule of a dialect lives nowhere else.
"""
