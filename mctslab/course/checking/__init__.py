"""How an answer is judged: run on inputs, compared, and its mistake found."""
