"""Questions to whole sections."""
