"""Pins: queries frozen from incidents, each with the quotes that must come back, for ever."""
