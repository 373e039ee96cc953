"""The words of `alive`: what must have succeeded for silence to count.

Each has two halves: `prepare` adds the steps it needs to the script, `judge` reads what came back.
"""
