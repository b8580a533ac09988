"""How answers are scored: question by question first, then means with their intervals."""
