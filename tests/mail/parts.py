"""The text and the files in the parts of a message."""

from email.message import EmailMessage, Message

from tests.requirements import require


def body_of(letter: EmailMessage) -> str:
    """Return the text of a message, with line ends of LF."""
    content: str = require(letter.get_body(("plain",))).get_content()
    return content.replace("\r\n", "\n")


def content_of(part: Message) -> bytes:
    """Return the content of a part, with the line ends of the original file."""
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.replace(b"\r\n", b"\n")
