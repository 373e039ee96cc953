"""How is the stand-in for a language model made a server that generator=openai can be aimed at?"""

import os

import click

from rageval_kit.cli.listening import listens, opened, serve


@click.command("serve-model", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--behaviour",
    default="careful",
    show_default=True,
    envvar="RAGEVAL_BEHAVIOUR",
    help="careful, obedient, moody (obeys one time in three), refusing, slow, failing, "
    "truncating or streaming.",
)
@click.option(
    "--reads",
    default="plain",
    show_default=True,
    envvar="RAGEVAL_READS",
    help="How who obeys reads: plain, or decoded (base64, hex, rot13, backwards, Morse, "
    "look-alikes and invisible characters too).",
)
@listens(8766)
@click.option(
    "--seconds-per-token",
    default=0.05,
    show_default=True,
    type=click.FloatRange(0, 60),
    envvar="RAGEVAL_SECONDS_PER_TOKEN",
    help="How long each token takes the behaviour slow.",
)
@click.option(
    "--api-key-env",
    default=None,
    envvar="RAGEVAL_API_KEY_ENV",
    help="Name of a variable with a key that every call must bring.",
)
def command(
    *,
    behaviour: str,
    reads: str,
    host: str,
    port: int,
    seconds_per_token: float,
    api_key_env: str | None,
) -> int:
    """Serve a stand-in for a model, OpenAI-compatible, with a set behaviour. Ctrl-C ends it."""
    from rageval_kit.build.shape import nearest
    from rageval_kit.records.faults import Fault, InputError
    from rageval_kit.system.model_behaviour import BEHAVIOURS, READS
    from rageval_kit.system.model_service import ModelService

    faults = [
        Fault(option, "is not known", f"'{met}'", nearest(met, known))
        for option, met, known in (
            ("--behaviour", behaviour, BEHAVIOURS),
            ("--reads", reads, READS),
        )
        if met not in known
    ]
    if faults:
        raise InputError(faults)
    key = "" if api_key_env is None else os.environ.get(api_key_env, "").strip()
    if api_key_env is not None and not key:
        way_out = f"export {api_key_env}=…"
        raise InputError.one("--api-key-env", "names a variable that is not set", "", way_out)
    service = opened(
        lambda: ModelService(
            behaviour, (host, port), key=key, piece_s=seconds_per_token, reads=reads
        ),
        host,
        port,
    )
    serve(service, f"{service.base_url} ({behaviour})")
    return 0
