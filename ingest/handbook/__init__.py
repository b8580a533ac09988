"""A root folder to dated editions of documents."""
