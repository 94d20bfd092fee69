"""Mail: messages that hold save files, and letters that carry them. Nothing is printed here."""
