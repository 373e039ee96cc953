"""Running scripts against a target."""
