"""Retrievers compared on one suite: from windows by cosine, rung by rung, to the search as it is configured."""
