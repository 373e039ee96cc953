"""The words of `who`: which reader is denied which document, and by what."""
