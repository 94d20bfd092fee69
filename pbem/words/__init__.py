"""What players read and type, in their language: a `Language` is a value, and there is no default.

Called by mail and every front end; calls `view`, `play` and all below, which speak in messages.
Languages other than English are gettext catalogues and lexicons under `locale`; docs/languages.md.
"""
