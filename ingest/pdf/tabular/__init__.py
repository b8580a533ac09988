"""Parts of finding tables: lines of words, rules, grids, white between columns, rows, headers, and what is none."""
