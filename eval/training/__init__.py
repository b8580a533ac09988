"""How a cross-encoder is made: questions and lists, hard negatives, the network, the training loop."""
