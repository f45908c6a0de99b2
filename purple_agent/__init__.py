"""The agent that answers tasks nobody has written a solver for."""
