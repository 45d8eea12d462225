"""What is true of one dialect: names, quoting, precedence, unnamed columns, functions.

A rule of a dialect lives nowhere else. ``rules`` and ``parts`` document each rule, ``families`` sets them, ``registry``
finds them by the dialect's name; ``engine`` adds the parser that reads it, and ``dialects`` spells its names. Code
elsewhere asks for a rule, never for a dialect's name. Imports no other package of ``ingest.sql``.
"""
