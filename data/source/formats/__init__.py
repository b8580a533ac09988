"""Chapters of the handbook as other people keep theirs: HTML, Word, PDF."""
