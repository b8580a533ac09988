"""Every night: index what changed, measure, compare with last night, tell somebody."""
