"""A character-by-character search for syntax of TOML 1.1 that TOML 1.0 lacks."""

QUOTES = ('"""', "'''", '"', "'")


def is_newer(text: str) -> bool:
    """Return whether a document of TOML 1.1 is not valid in TOML 1.0."""
    at, within, before = 0, list[str](), ""
    while at < len(text):
        quote = next((quote for quote in QUOTES if text.startswith(quote, at)), "")
        one, in_table = text[at], within[-1:] == ["{"]
        if quote:
            at, escapes = end_of_string(text, at + len(quote), quote)
            if escapes & {"e", "x"}:
                return True
            before = '"'
            continue
        if in_table and (one in "\n#" or (one == "}" and before == ",")):
            return True
        if one == "#":
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
            continue
        if one in "{[" and (within or one == "{"):
            within.append(one)
        elif one in "}]" and within:
            within.pop()
        if one == ":" and not is_with_seconds(text, at):
            return True
        before = before if one in " \t" else one
        at += 1
    return False


def end_of_string(text: str, at: int, quote: str) -> tuple[int, set[str]]:
    """Return the end of a string, and the characters that follow its backslashes."""
    escapes = set()
    while not text.startswith(quote, at) and at < len(text):
        if text[at] == "\\" and quote[0] == '"':
            at += 1
            escapes.add(text[at])
        at += 1
    at += len(quote)
    extra = len(text[at : at + 2]) - len(text[at : at + 2].lstrip(quote[0]))
    return at + (extra if len(quote) == 3 else 0), escapes


def is_with_seconds(text: str, colon: int) -> bool:
    """Return whether a colon outside of strings is in a time with seconds, or in an offset."""
    return ":" in (text[colon - 3], text[colon + 3 : colon + 4]) or text[colon - 3] in "+-"
