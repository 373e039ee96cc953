"""What does a metric mean, or what happened in one case of an archived run?"""

from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.root import archived_under
from rageval_kit.cli.streams import put

if TYPE_CHECKING:
    from rageval_kit.records.decisions import FindingRecord


@click.command("explain", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("what", metavar="METRIC | RUN")
@click.argument("case", metavar="[CASE]", required=False)
@archived_under
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    default=None,
    envvar="RAGEVAL_LANG",
    help="Language of a definition [both].",
)
@click.option(
    "--config-dir",
    "-cd",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    envvar="RAGEVAL_CONFIG_DIR",
    help="Measures of your own: metric/NAME.yaml.",
)
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(
    what: str,
    case: str | None,
    root: str,
    *,
    lang: str | None,
    config_dir: Path | None,
    as_json: bool,
) -> None:
    """Explain METRIC (ndcg@10, recall …) by its definition, or CASE of RUN step by step.

    METRIC means what it means to `score -m`: without a cutoff, the whole list.
    """
    if case is None:
        _metric(what, lang, config_dir, as_json=as_json)
    else:
        _case(what, case, Path(root), as_json=as_json)


def _metric(name: str, lang: str | None, config_dir: Path | None, *, as_json: bool) -> None:
    """What a measure means, with its version, parameters and conventions: as the report says it."""
    from rageval_kit.build.measures import measure
    from rageval_kit.records.conventions import Conventions
    from rageval_kit.stats.agreement.definitions import DEFINITIONS, NAMES, VERSION

    if name in DEFINITIONS:
        tongues = (lang,) if lang else tuple(DEFINITIONS[name])
        if as_json:
            machine({"coefficient": name, "version": VERSION, "definition": DEFINITIONS[name]})
            return
        put(f"{NAMES[name][tongues[0]]}  version {VERSION}  (rageval-kit agreement)")
        for tongue in tongues:
            put()
            put(DEFINITIONS[name][tongue])
        return
    one = measure(name, config_dir)
    definition = one.definition
    parameters = {field.name: getattr(one, field.name) for field in fields(one)}
    told = {
        "metric": one.name,
        "version": one.version,
        "grains": sorted(one.grains),
        "parameters": parameters,
        "conventions": asdict(Conventions()),
        "definition": dict(definition),
    }
    if as_json:
        machine(told)
        return
    put(f"{one.name}  version {one.version}  for {', '.join(told['grains'])}")
    shown = ", ".join(f"{key}={_plain(value)}" for key, value in parameters.items())
    put(f"parameters: {shown or 'none'}")
    for tongue in (lang,) if lang else tuple(definition):
        put()
        put(definition[tongue])
    put()
    put(f"by default: {Conventions().text}")


def _plain(value: object) -> str:
    return "none" if value is None else str(value)


def _case(run: str, case: str, root: Path, *, as_json: bool) -> None:
    from rageval_kit.build.shape import nearest
    from rageval_kit.cli.archived import run_record, sealed_folder
    from rageval_kit.records.faults import InputError

    folder = sealed_folder(run, root)
    record = run_record(folder)
    found = [finding for finding in record.findings if finding.case_id == case]
    if found:
        if as_json:
            machine([asdict(finding) for finding in found])
            return
        for finding in found:
            _finding(finding)
        return
    verdicts = _verdicts(folder)
    if case not in verdicts:
        known = verdicts.keys() | {finding.case_id for finding in record.findings}
        raise InputError.one(f"case '{case}'", f"is not in {folder}", "", nearest(case, known))
    machine(verdicts[case])


def _verdicts(folder: Path) -> dict[str, dict[str, object]]:
    from rageval_kit.archive.chain import read_chain

    path = folder / "verdicts.jsonl"
    if not path.is_file():
        return {}
    return {str(one.get("case_id")): one for one in read_chain(path)}


def _finding(finding: "FindingRecord") -> None:
    from rageval_kit.report.visible import visible

    lines = [
        f"{finding.case_id}  {finding.family}  {finding.severity}",
        f"who    {finding.principal_id} (tenant {finding.principal_tenant or '–'})",
        f"what   {finding.document_id} (tenant {finding.document_tenant or '–'})",
        f"as     {finding.item_id}",
        f"why    denied by {', '.join(finding.denied_by) or '–'}",
        f"where  {finding.stage}, seen by {finding.check}",
        f"text   {finding.evidence or '–'}",
        "when",
        *(
            f"  {step.at_s:>8.3f} s  {step.role:<8}  {step.action}  {step.seen}"
            for step in finding.timeline
        ),
        f"again  {finding.replay}",
    ]
    for line in lines:
        put(visible(line))
