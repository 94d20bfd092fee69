"""What players are told and type, in their language: a `Language` is a value, and nobody's default.

Called by mail and every front end; calls `view`, `play` and all below, which speak in messages.
Languages other than English are gettext catalogues and lexicons under `locale`; docs/languages.md.
"""
