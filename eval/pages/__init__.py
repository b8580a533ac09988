"""What reports share: text that does no harm, and numbers as they are read."""
