"""HTML files to blocks."""
