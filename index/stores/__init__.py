"""Vector stores behind one interface: Qdrant Edge in the process, or a Qdrant server."""
