"""What each order does: when it is legal, what it costs, and how it changes the state."""
