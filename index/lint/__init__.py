"""What deserves a human's look in a handbook before an agent acts on it."""
