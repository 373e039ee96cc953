"""The words of `ask`: how the query comes to be."""
