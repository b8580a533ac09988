"""What is asked: tickets, folders in BEIR's layout, tables of subject experts."""
