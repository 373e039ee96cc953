"""Rankings: how lists are ordered once, held against judgments, checked and pooled."""
