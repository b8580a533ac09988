"""What reranking brings: a first stage over any set of sections, and the table of rerankers."""
