"""How complete an answer is, as pure values and rules.

Reading gaps from a log lives in ``read``; imports ``model`` and ``timeline``.
"""
