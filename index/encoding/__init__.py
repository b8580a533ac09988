"""Text to vectors: exported once, served without torch, each text encoded once."""
