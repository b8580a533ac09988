"""DOCX files to blocks, from their XML parts."""
