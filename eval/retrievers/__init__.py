"""Who is asked: the pipeline, windows, a corpus in memory, a function of one's own, a run made elsewhere."""
