"""Files to documents, sections and chunks."""
