"""The command line: commands, their output and prompts, the map at the terminal, completion.

This is the only package that prints and asks at a terminal. It plays games through `pbem.play`, and
takes its sentences from `text` and `mail`, except for its own help. Called by nobody but the shell;
calls `club`, `web` and all below.
"""
