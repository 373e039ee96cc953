"""The words of `contrast`: with which other world, or handle, a case is compared.

Each gives `prepare(walk, args)`, called when the script is written and before the living positives;
what it adds is marked `contrast`.
"""
