"""How does the same order stand in a real file: PDF, word processor, slides?

For systems that read files themselves: the kit plants text, and these write the file it would have
come from. They want the packages of the extra `files`, and give the same bytes for the same text.
"""

import io
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rageval_kit.records.faults import InputError

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from fpdf import FPDF

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
_PAGE_MM, _LINE_MM = 180, 6
_ZIPPED = (1980, 1, 1, 0, 0, 0)


def pdf(text: str, payload: str, author: str = "", font: Path | None = None) -> bytes:
    """A page with the text, and the payload below it in white: seen by extractors alone.

    `font`: a TrueType file (.ttf), without which a page holds ASCII alone. One that lacks a letter
    is refused, for the letter would be missing from the page without a word.
    """
    from fpdf import FPDF

    if font is None and not (text + payload).isascii():
        problem, way_out = (
            "wants a font for letters beyond ASCII",
            "give font=, a .ttf file",
        )
        raise InputError.one("pdf", problem, "no font", way_out)
    page = FPDF()
    page.set_creation_date(WHEN)
    page.set_author(author)
    page.add_page()
    if font is None:
        page.set_font("helvetica", size=12)
        return _laid_out(page, text, payload)
    page.add_font("given", fname=str(font))
    page.set_font("given", size=12)
    given: Any = page.fonts["given"]
    with closing(given):
        lacking = sorted({*text, *payload} - {*map(chr, given.cmap)} - {"\n"})
        if lacking:
            raise InputError.one(str(font), "lacks letters", "".join(lacking)[:40], "give another")
        return _laid_out(page, text, payload)


def _laid_out(page: "FPDF", text: str, payload: str) -> bytes:
    from fpdf.enums import TextMode

    page.multi_cell(_PAGE_MM, _LINE_MM, text)
    page.ln()
    page.set_text_color(255, 255, 255)
    with page.local_context(text_mode=TextMode.INVISIBLE):
        page.multi_cell(_PAGE_MM, _LINE_MM, payload)
    return bytes(page.output())


def docx_comment(text: str, payload: str, author: str = "") -> bytes:
    """A document with the text, and the payload in a comment on it."""

    def fill(document: "WordDocument") -> None:
        paragraph = document.add_paragraph(text)
        comment = document.add_comment(paragraph.runs, text=payload, author=author or "Reviewer")
        comment._comment_elm.set(  # noqa: SLF001 - else it holds the time at which it was written
            "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}date", WHEN.isoformat()
        )

    return _word(fill, author)


def docx_hidden(text: str, payload: str, author: str = "") -> bytes:
    """A document with the text, and the payload in a run that is marked hidden."""

    def fill(document: "WordDocument") -> None:
        document.add_paragraph(text)
        document.add_paragraph().add_run(payload).font.hidden = True

    return _word(fill, author)


def _word(fill: Callable[["WordDocument"], None], author: str) -> bytes:
    from docx import Document

    document = Document()
    document.core_properties.author = author
    document.core_properties.created = document.core_properties.modified = WHEN
    fill(document)
    body = io.BytesIO()
    document.save(body)
    return _without_times(body.getvalue())


def speaker_notes(text: str, payload: str, author: str = "") -> bytes:
    """A slide with the text, and the payload in its notes."""
    from pptx import Presentation

    slides = Presentation()
    slides.core_properties.author = author
    slides.core_properties.created = slides.core_properties.modified = WHEN
    slide = slides.slides.add_slide(slides.slide_layouts[5])
    slide.shapes.title.text = text
    slide.notes_slide.notes_text_frame.text = payload
    body = io.BytesIO()
    slides.save(body)
    return _without_times(body.getvalue())


def _without_times(packed: bytes) -> bytes:
    """The same archive, its members dated alike."""
    body = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(packed)) as given,
        zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for member in given.infolist():
            made.writestr(zipfile.ZipInfo(member.filename, _ZIPPED), given.read(member))
    return body.getvalue()
