"""A small but real permissioned retrieval system, the default target and the ground of mutants."""
