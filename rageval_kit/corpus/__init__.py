"""What a corpus is on disk, how it is named by its content, and how a world changes."""
