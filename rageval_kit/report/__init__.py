"""How is one evaluation told to people and to machines, from its record alone?"""
