"""Where in a document an order can stand: one file each, `carry(sheet, payload)`; no list.

`HIDES`: nobody who looks at the rendered page sees it. `NARROW`: there is room for the order alone,
not for the wording round it. `host_of(host, site)`: how the address of a goal is led there, where
the carrier is a way for addresses.
"""
