"""Orders in documents: what they want, how they are worded, where they stand, how they hide."""
