"""Forms of single engines that the parser does not know, put into words that mean the same."""
