"""What was in force when, since when that was believed, and every text of it."""
