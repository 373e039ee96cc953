"""The evidence store: what a run leaves behind, how it is sealed, and how a stranger checks it."""
