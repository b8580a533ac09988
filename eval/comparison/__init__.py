"""Retrieval beside the whole handbook in the context: what each costs, holds and leaves behind to be traced."""
