"""How is each kind of system under test reached? One adapter a file."""
