"""Settings chosen by measured tickets, without measuring the choice on the tickets that made it."""
