"""Permissioned retrieval, evaluated: generated negative tests, living twins, audit reports."""
