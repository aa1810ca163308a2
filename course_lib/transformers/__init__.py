"""Part transformers: sequences by attention alone."""
