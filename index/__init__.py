"""What was in force when, and the published generations that answer for it."""
