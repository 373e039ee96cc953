"""Can a suite fail? It is run against every seeded fault, and against none."""

from pathlib import Path

import click

from rageval_kit.cli.machine import machine


@click.command(
    "prove",
    context_settings={
        "ignore_unknown_options": True,
        "allow_extra_args": True,
        "help_option_names": ["-h", "--help"],
    },
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    envvar="RAGEVAL_PROOF",
    help="File to write; default: reports/proofs/ beside the archive.",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="OVERRIDES…")
def command(words: tuple[str, ...], output: Path | None) -> int:
    """Prove the suites chosen by +suite=…: 0 if every fault is killed and clean runs are silent."""
    from rageval_kit.build import plan, requests
    from rageval_kit.cli.progress import LineProgress
    from rageval_kit.cli.streams import say
    from rageval_kit.cli.words import read
    from rageval_kit.run.proofs import own_proofs, write_proof
    from rageval_kit.run.prove import prove

    asked = read(words)
    made, notices = requests(
        asked.overrides, config_dir=asked.config_dir, config_name=asked.config_name
    )
    for notice in notices:
        say(f"rageval-kit: {notice}")
    progress = LineProgress()
    try:
        asked_plan = plan(made[0])
        proof = prove(asked_plan, progress)
    finally:
        progress.finish()
    for fault, family, how in proof.matrix:
        say(f"  {fault}  {family}  {how or 'SURVIVED'}")
    say(
        f"faults killed {proof.faults_killed}/{proof.faults_total} · "
        f"clean seeds silent {proof.clean_silent}/{proof.clean_seeds}"
    )
    path = output or own_proofs(asked_plan.archive_root) / f"{proof.suite_hash[:12]}.json"
    write_proof(proof, path)
    say(f"proof {path}")
    survived = [fault for fault, _, how in proof.refusing if not how]
    if proof.refusing:
        n = len(proof.refusing)
        say(f"behind a model that refuses {n - len(survived)}/{n}")
    for fault in survived:
        say(f"  {fault}  SURVIVED behind a model that refuses")
    proven = (
        proof.faults_killed == proof.faults_total
        and proof.clean_silent == proof.clean_seeds
        and not survived
    )
    if asked.json:
        told = {
            "suite_hash": proof.suite_hash,
            "proven": proven,
            "matrix": [list(row) for row in proof.matrix],
        }
        machine(told)
    return 0 if proven else 1
