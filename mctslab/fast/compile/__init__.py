"""How the rules of a game and the kernels of a search become machine code."""
