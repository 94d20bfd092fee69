"""The command line: the only place that prints, asks, and takes the time and random numbers."""
