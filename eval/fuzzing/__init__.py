"""Rewrites as sampled models make them: which lose an anchor, and how likely re-runs would not have shown it."""
