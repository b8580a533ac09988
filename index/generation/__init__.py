"""Published search indexes: built beside the last one, proved against the history, published at once."""
