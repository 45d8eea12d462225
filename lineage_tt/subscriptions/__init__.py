"""Subscriptions: who wants to receive which changes, and how. ``docs/how-to/subscribe.md`` shows how to use them."""
