"""The peers that the product is measured beside."""
