"""The functions that Numba compiles: search on arrays of numbers, as ordinary Python modules.

They are read, not imported, when a search is compiled: `module_builder.py` takes the source of one
and of those that it imports, and puts them together with the rules of one game.
`game.py` declares what the game provides. Numba finds the types by itself, so none are written.
"""
