"""Second readers of the candidates: late interaction, and a cross-encoder beside it."""
