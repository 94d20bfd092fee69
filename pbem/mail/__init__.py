"""Mail: letters that carry save files, read and written; servers and mailboxes.

For the front ends alone, each of which sends, fetches and serves a robot with it. It plays through
`pbem.play`, asks `pbem.library` what went and came, says it by `pbem.words`, and prints nothing.
"""
