"""Markdown to elements; readers of other formats will stand beside it."""
