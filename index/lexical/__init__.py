"""BM25 over what is in force: tokens that suit policy, postings, scores."""
