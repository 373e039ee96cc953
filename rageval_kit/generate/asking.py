"""How does somebody ask another of an exhibit's questions, and what must the answer state then?"""

from dataclasses import replace

from rageval_kit.generate.walk import Walk
from rageval_kit.records.faults import InputError


def ask_about(walk: Walk, role: str, principal_id: str, name: str, session: str) -> None:
    """Ask `questions[name]`; wanted is the value that the document of the role `name` states."""
    exhibit = walk.pair.exhibit
    questions = exhibit.questions if exhibit else {}
    if exhibit is None or name not in questions:
        raise InputError.one(
            f"{walk.family.id}: question {name}",
            "is none that the family's world gives",
            way_out=f"there is: {', '.join(sorted(questions)) or 'none at all'}",
        )
    step = len(walk.steps)
    asked = replace(walk.wording, text=questions[name], question="")
    walk.ask(role, principal_id, asked, session=session)
    document = walk.world.documents.get(exhibit.documents.get(name, ""))
    stated = (
        [v.version_id for v in document.versions if v.version_id in exhibit.values]
        if document
        else []
    )
    if stated:
        expected = replace(walk.expected[step, 0], wanted=exhibit.values[stated[-1]])
        walk.expected[step, 0] = expected
