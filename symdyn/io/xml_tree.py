"""A strict, small reader of XML that remembers lines: text in, plain elements out.

Files are data: a document type declaration (and with it every entity) is refused before anything is
expanded; size, depth and number of elements are bounded. The standard library's expat does the
reading; no recursion.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from symdyn._errors import InputError, file_error
from symdyn.model.names import shown

MAX_BYTES = 20_000_000
MAX_DEPTH = 100
MAX_ELEMENTS = 200_000
#: Text inside an element is needed for a few short numbers only.
_MAX_TEXT = 1000


@dataclass(slots=True)
class Element:
    """An XML element: tag, attributes, children, the text before its first child, and its line."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=lambda: list[Element]())
    text: str = ""

    def named(self, tag: str) -> list[Element]:
        """The children called ``tag``."""
        return [child for child in self.children if child.tag == tag]

    def descendants(self) -> list[Element]:
        """All elements below, in document order."""
        found: list[Element] = []
        pending = list(reversed(self.children))
        while pending:
            element = pending.pop()
            found.append(element)
            pending.extend(reversed(element.children))
        return found


def read_bytes(path: str | Path) -> bytes:
    """The content of a file, refused with one line if it is missing, no file, or too large."""
    try:
        with open(path, "rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise file_error(error, path) from None
    if len(content) > MAX_BYTES:
        raise InputError(
            "the file is too large",
            where=shown(str(path), 300),
            expected=f"at most {MAX_BYTES // 1_000_000} MB",
            remedy="A robot description is small; meshes and data belong in other files.",
        )
    return content


def parse_xml(content: str | bytes, source: str) -> Element:
    """The root element of an XML document.

    Parameters
    ----------
    content : the document; bytes are decoded by their byte order mark or declaration, else as UTF-8
    source : what errors call the document

    Raises
    ------
    InputError : not well formed, has a document type, or exceeds a bound
    """
    builder = _Builder(source)
    if isinstance(content, str):
        builder.parser = expat.ParserCreate("utf-8")
        content = content.removeprefix("\ufeff").encode("utf-8", "surrogatepass")
    if len(content) > MAX_BYTES:
        raise InputError(
            "the document is too large", where=source, expected=f"at most {MAX_BYTES} bytes"
        )
    return builder.run(content)


class _Builder:
    """Holds the open elements while expat walks through the document."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.parser = expat.ParserCreate()
        self.open: list[Element] = []
        self.root: Element | None = None
        self.count = 0

    def run(self, content: bytes) -> Element:
        parser = self.parser
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = self.doctype
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            raise InputError(
                f"not well-formed XML ({expat.ErrorString(error.code)})",
                where=f"{self.source}, line {error.lineno}, column {error.offset + 1}",
                remedy=_remedy(error.code),
            ) from None
        except (ValueError, LookupError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                "the encoding of the file is not supported",
                where=self.source,
                got=shown(str(error)),
                remedy="Save the file as UTF-8.",
            ) from None
        assert self.root is not None, "expat accepts no document without a root"
        return self.root

    def where(self) -> str:
        return f"{self.source}, line {self.parser.CurrentLineNumber}"

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.open) >= MAX_DEPTH or self.count > MAX_ELEMENTS:
            deep = self.count <= MAX_ELEMENTS
            raise InputError(
                "elements are nested too deeply" if deep else "there are too many elements",
                where=self.where(),
                expected=f"a depth of at most {MAX_DEPTH} and at most {MAX_ELEMENTS} elements",
            )
        element = Element(tag, attributes, self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, tag: str) -> None:
        del tag
        self.open.pop()

    def characters(self, text: str) -> None:
        if self.open and not self.open[-1].children and len(self.open[-1].text) < _MAX_TEXT:
            self.open[-1].text += text[:_MAX_TEXT]

    def doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        del name, system, public, internal
        raise InputError(
            "a document type declaration is refused, since it can define entities that expand "
            "without bound",
            where=self.where(),
            remedy="Delete the <!DOCTYPE ...> part.",
        )


def _remedy(code: int) -> str:
    if code == expat.errors.codes[expat.errors.XML_ERROR_MISPLACED_XML_PI]:
        return "Nothing, not even a blank, may stand before <?xml ...?>."
    return _XML_REMEDIES.get(expat.ErrorString(code), "Mend the markup there, or export it again.")


_XML_REMEDIES = {
    "mismatched tag": "Close each element by </name> where the innermost open one ends.",
    "no element found": "The document ends before its elements are closed: is it complete?",
    "unclosed token": "A quote or > is missing.",
    "junk after document element": "Put everything into one outermost element.",
    "duplicate attribute": "Delete one of the two.",
    "not well-formed (invalid token)": "Write &lt; for <, and attributes in quotes.",
}
