"""Where in a document an order can stand: one file each, `carry(sheet, payload)`; no list.

`HIDES`: its markup says that no reader of the page sees it, so that it can be left out. `NARROW`:
there is room for the order alone, not for the wording round it. `ASKS`: by language, the words with
which a question for it begins. `host_of(host, site)`: how the address of a goal is led there, where
the carrier is a way for addresses.
"""
