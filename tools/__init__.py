"""Tools for developers, which no player needs: catalogues of messages, manual page, single file."""
