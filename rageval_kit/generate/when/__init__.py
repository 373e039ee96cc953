"""The words of `when`: the steps of a script on an injected clock."""
