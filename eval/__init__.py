"""Measures, and the command line that joins the floors."""
