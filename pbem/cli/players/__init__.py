"""`acres players`: who is who, by the keys that are remembered; and what is said of a key."""
