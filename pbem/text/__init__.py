"""Texts that players read and type: a `Language` is a value, and there is no default.

Called by `board`, `club`, `mail` and above; calls `play` and below, which speak in messages.
Languages other than English are gettext catalogues and lexicons under `locale`:
docs/languages.md describes both.
"""
