"""Tools for developers: catalogues of messages, the manual page, and the single file."""
