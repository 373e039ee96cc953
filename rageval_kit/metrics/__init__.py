"""Measures of quality: one file, one class, one question each; a metric knows no other metric."""
