"""The checks (oracles): one question per file, asked of one case."""
