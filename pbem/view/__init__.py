"""What a player may see of a game, as plain data: positions, what was done, what can be ordered.

Called by words, mail and every front end, which say it or draw it. Calls `play`, `library`,
`protocol`, `engine`; knows no language, only messages.
"""
