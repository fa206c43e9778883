"""Text from robot files inside comments, docstrings and string literals: visible and harmless.

A comment must not end early, swallow the next line or hide what follows (direction marks,
trigraphs, a backslash at the end of a line), whatever the text says.
"""

from __future__ import annotations

from collections.abc import Sequence

#: Printed lines are folded at this width where that is possible.
WIDTH = 100

# Letters and signs that are shown as they are: Latin, Greek, Cyrillic, combining dots, arrows and
# mathematical signs, kana, Han and Hangul. Fixed ranges, so that no Unicode database matters.
_SHOWN = (
    (0x20, 0x7E), (0xA1, 0xAC), (0xAE, 0x36F), (0x370, 0x482), (0x48A, 0x52F), (0x1E00, 0x1FFE),
    (0x2010, 0x2027), (0x2030, 0x205E), (0x2070, 0x209C), (0x2190, 0x22FF), (0x3041, 0x30FF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7A3),
)  # fmt: skip


def visible(text: str) -> str:
    """One line with every control, direction and unknown character written as its code."""
    return "".join(
        char if any(low <= ord(char) <= high for low, high in _SHOWN) else f"<U+{ord(char):04X}>"
        for char in text
    )


def c_comment(text: str) -> str:
    """`visible` text that a C comment can hold."""
    text = visible(text).replace("\\", "<U+005C>").replace("*/", "* /").replace("/*", "/ *")
    return text.replace("??", "? ?")


def python_docstring(text: str) -> str:
    """`visible` text that a triple-quoted string can hold."""
    text = visible(text).replace("\\", "\\\\").replace('"""', "'''")
    return f"{text} " if text.endswith('"') else text


def c_string(text: str) -> str:
    """A C string literal of the UTF-8 bytes."""
    out = ['"']
    for byte in text.encode("utf-8", "replace"):
        char = chr(byte)
        if char in '"\\?':
            out.append("\\" + char)
        elif 0x20 <= byte < 0x7F:
            out.append(char)
        else:
            # three digits always, so that a digit behind it is not swallowed
            out.append(f"\\{byte:03o}")
    out.append('"')
    return "".join(out)


def folded(head: str, items: Sequence[str], tail: str, indent: str = "    ") -> list[str]:
    """``head`` + items separated by commas + ``tail``, in lines of at most `WIDTH` characters."""
    one = f"{head}{', '.join(items)}{tail}"
    if len(one) <= WIDTH:
        return [one]
    lines = [head]
    line = indent
    for k, item in enumerate(items):
        piece = item + (tail if k == len(items) - 1 else ", ")
        if len(line) + len(piece.rstrip()) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += piece
    return [*lines, line]


def shape_text(shape: Sequence[int]) -> str:
    """``[7,7]``, or ``scalar`` for ()."""
    return f"[{','.join(str(size) for size in shape)}]" if shape else "scalar"
