"""Rights that an organisation has written for another engine, read as the reference of a run."""
