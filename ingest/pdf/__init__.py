"""PDF files to blocks: words by their place on the page, tables, outline, footnotes."""
