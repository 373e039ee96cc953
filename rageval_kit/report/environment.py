"""How do templates become HTML or Markdown with every value escaped and none missing?"""

import re
from collections.abc import Callable
from functools import cache
from typing import Literal

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound, Undefined
from markupsafe import Markup, escape

from rageval_kit.records.faults import KitError
from rageval_kit.report import figures
from rageval_kit.report.escape import (
    escaped,
    fenced,
    markdown,
    marked,
    marked_command,
    safe_href,
)
from rageval_kit.report.phrases import Voice, reason, retold
from rageval_kit.report.visible import shortened, visible
from rageval_kit.report.words import Words

Format = Literal["html", "md"]
FORMATS: tuple[Format, ...] = ("html", "md")

# Sections hold macro calls alone: a line break between two tags is for reading, not for the page.
_BETWEEN = re.compile(r"(?<=[}%#]\})\s*\n\s*(?=\{[{%#])")
_PLACE = re.compile(r"\{(\w+)\}")
_INLINE = 200


class _Templates(BaseLoader):
    """Templates of one folder; a section is read without the white space between its tags."""

    def get_source(
        self,
        environment: Environment,  # noqa: ARG002 - the signature is jinja2's
        template: str,
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        from rageval_kit.resources import tree

        path = tree("reports/templates") / template
        if not re.fullmatch(r"[a-z]+/[a-z_]+\.j2", template) or not path.is_file():
            raise TemplateNotFound(template)
        source = path.read_text(encoding="utf-8")
        if template.startswith("sections/"):
            source = _BETWEEN.sub("", source.strip())
        return source, str(path), None


def _text(value: object) -> str:
    """A value as text; what is missing, or is a bare fraction, must not reach the page."""
    if isinstance(value, Undefined):
        str(value)  # StrictUndefined raises here and says which name is missing
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return figures.count(value)
    raise KitError(f"report: {value!r} is not printable; print a text, a count or a figure")


def _html(value: object) -> Markup:
    return value if isinstance(value, Markup) else escape(visible(_text(value)))


def _markdown(value: object) -> Markup:
    if isinstance(value, Markup):
        return value
    return Markup(markdown(_text(value)))  # noqa: S704 - escaped for Markdown just here


def _fence(value: object) -> Markup:
    return Markup(fenced(_text(value)))  # noqa: S704 - made safe for a fence just here


def _mark(value: object) -> Markup:
    return as_is(marked(_text(value)))


def _mark_command(value: object) -> Markup:
    return as_is(marked_command(_text(value)))


def _block(value: object) -> Markup:
    return escape(visible(_text(value), lines=True))


def as_is(made: str) -> Markup:
    """Text that needs no more escaping: the kit's own, or rendered just now."""
    return Markup(made)  # noqa: S704 - see above


@cache
def environment(form: Format) -> Environment:
    """Autoescape is on whatever the template is called; the finalizer escapes for the format."""
    made = Environment(
        loader=_Templates(),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_html if form == "html" else _markdown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )
    made.globals |= {
        "nl": as_is("\n"),
        "bound": figures.bound,
        "chance": figures.chance,
        "least": figures.least,
        "gate_value": figures.gate_value,
    }
    made.globals |= {"figure": figures.figure}
    made.filters |= {"href": safe_href, "block": _block if form == "html" else _fence}
    if form == "md":
        made.filters |= {"mark": _mark, "mark_command": _mark_command}
    return made


def speaker(words: Words, form: Format) -> Callable[..., Markup]:
    """`t(key, name=value)`: the catalogue's sentence, itself and its values escaped for `form`."""
    safe = _html if form == "html" else _markdown
    sentence = escape if form == "html" else escaped

    def t(key: str, **values: object) -> Markup:
        said = ""
        for place, piece in enumerate(_PLACE.split(words(key))):
            if place % 2 == 0:
                said += str(sentence(piece))
            elif piece in values:
                said += str(safe(values[piece]))
            else:
                raise KitError(f"report text '{key}' ({words.lang}): nothing fills '{{{piece}}}'")
        return as_is(said)

    return t


def reteller(words: Words, form: Format) -> Callable[[str, Callable[[str], str]], str]:
    """`retold(text, apart)`: a recorded text in this language, '' where the catalogue has none."""
    sentence, escape_word = speaker(words, form), _html if form == "html" else _markdown

    def told(text: str, apart: Callable[[str], str]) -> str:
        voice = Voice(words, sentence, escape_word, apart)
        return retold(text, voice) or reason(text, voice)

    return told


def shortener(words: Words) -> Callable[..., str]:
    """`cut(text)`: text beyond a limit is cut there, followed by its size and full hash."""

    def cut(text: str, limit: int = _INLINE) -> str:
        return shortened(text, limit, unit=words("unit.bytes"))

    return cut
