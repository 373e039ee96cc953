"""How is the embedded system made a service that others, and this kit, can ask over HTTP?"""

import ipaddress
from pathlib import Path

import click

from rageval_kit.cli.listening import listens, opened, serve


@click.command("serve", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("overrides", nargs=-1)
@listens(8765)
@click.option(
    "--tokens",
    type=click.Path(path_type=Path),
    envvar="RAGEVAL_TOKENS",
    help='JSON file {"principal id": "token"}; without it the header X-Principal is believed.',
)
@click.option(
    "--lab", is_flag=True, help="Show every stage and take changes; on this machine only."
)
def command(
    overrides: tuple[str, ...], *, host: str, port: int, tokens: Path | None, lab: bool
) -> int:
    """Serve a world: corpus=…, access=…, retriever=hybrid, fault=… as in a run. Ctrl-C ends it."""
    from rageval_kit.build import compose
    from rageval_kit.endpoint.messages import token_file
    from rageval_kit.records.faults import InputError
    from rageval_kit.retrievers.embedded import Embedded
    from rageval_kit.run.prepare import read_world
    from rageval_kit.system.http_service import Service
    from rageval_kit.system.service import System

    local = _is_loopback(host)
    if lab and not local:
        way_out = "a laboratory obeys whoever reaches it; use --host 127.0.0.1"
        raise InputError.one("--lab", "is open to other machines", host, way_out)
    if tokens is None and not local:
        way_out = "give --tokens: X-Principal is believed only on this machine"
        raise InputError.one("--host", "is open to other machines", host, way_out)
    by_principal = token_file(None if tokens is None else str(tokens))
    by_token = {token: principal for principal, token in by_principal.items()}
    if len(by_token) != len(by_principal):
        raise InputError.one("--tokens", "gives two principals one token", str(tokens))
    plan = compose(*overrides)
    if not isinstance(plan.target, Embedded):
        way_out = "choose retriever=bm25, dense or hybrid"
        raise InputError.one("retriever", "cannot be served", plan.spec.retriever.kind, way_out)
    system = System(plan.target.config)
    system.connect(read_world(plan)[0])
    service = opened(lambda: Service(system, (host, port), tokens=by_token, lab=lab), host, port)
    serve(service, f"{service.url}{' (laboratory)' if lab else ''}")
    return 0


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
