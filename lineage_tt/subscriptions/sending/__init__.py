"""Where events may go from this machine, and how a webhook is called: addresses, the operator's allow-list, signatures.

It may import ``model`` and ``storage``; it does not use the feed.
"""
