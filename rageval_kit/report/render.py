"""How does one record become one page of HTML or Markdown, in English or in Chinese?"""

from collections.abc import Sequence

from rageval_kit.records.decisions import RunRecord
from rageval_kit.records.faults import Fault, InputError, KitError
from rageval_kit.report.page import all_sections, page_values
from rageval_kit.report.sound import require_sound
from rageval_kit.report.view import view
from rageval_kit.report.words import Lang, words

_FORMATS = ("html", "md")


def _checked_sections(sections: Sequence[str]) -> tuple[str, ...]:
    known = all_sections()
    faults = [
        Fault("report.sections", "is not a section", repr(name), f"one of {', '.join(known)}")
        for name in sections
        if name not in known
    ]
    if len(set(sections)) != len(sections):
        faults.append(Fault("report.sections", "names a section twice", ", ".join(sections)))
    if "verdict" not in sections:
        faults.append(Fault("report.sections", "leaves out the verdict", "", "add 'verdict'"))
    if faults:
        raise InputError(faults)
    # The order is the report's: a reader finds the verdict first whatever the list says.
    return tuple(name for name in known if name in sections)


def render(
    run: RunRecord,
    format: str = "html",  # noqa: A002 - the public word for it
    lang: Lang = "en",
    sections: Sequence[str] = (),
    title: str = "",
) -> str:
    """Tell `run` as one page; raises, and returns nothing, if anything to be printed is missing."""
    if format not in _FORMATS:
        raise InputError.one("report.formats", "is not a format", repr(format), "html or md")
    require_sound(run)
    import jinja2

    from rageval_kit.report.environment import (
        Format,
        as_is,
        environment,
        reteller,
        shortener,
        speaker,
    )

    form: Format = "html" if format == "html" else "md"
    said = words(lang)
    made = environment(form)
    names = _checked_sections(sections or all_sections())
    counted = view(run)
    shared = page_values(run, counted, names, said) | {
        "t": speaker(said, form),
        "cut": shortener(said),
        "retold": reteller(said, form),
        "word": said.known,
        "pick": said.pick,
        "run": run,
        "v": counted,
        "lang": lang,
        "title": title or said("page.title"),
    }
    try:
        # Macros see the words of this page, not of the last one: the module is made per page.
        f = made.get_template(f"formats/{form}.j2").make_module(shared)
        parts = [(name, made.get_template(f"sections/{name}.j2")) for name in names]
        body = [(name, as_is(part.render(shared, f=f))) for name, part in parts]
        page = made.get_template(f"layouts/{form}.j2").render(shared, f=f, body=body)
    except jinja2.UndefinedError as error:
        raise KitError(f"report ({format}, {lang}): {error}; no report is written") from error
    return page.strip() + "\n"
