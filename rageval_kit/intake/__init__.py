"""How people's files come in: read as text, validated whole, every fault named at once."""
