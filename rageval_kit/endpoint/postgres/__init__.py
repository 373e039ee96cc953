"""How is a world laid into PostgreSQL, with the access rule as row-level security?"""
