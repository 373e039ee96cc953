"""How does a command say where it listens, and listen until it is stopped?"""

from collections.abc import Callable
from socketserver import BaseServer
from typing import TypeVar

import click

from rageval_kit.cli.streams import say
from rageval_kit.records.faults import KitError

Command = TypeVar("Command", bound=Callable[..., object])
Service = TypeVar("Service", bound=BaseServer)


def listens(port: int) -> Callable[[Command], Command]:
    """The options --host and --port of a command that serves."""

    def options(command: Command) -> Command:
        number = click.option(
            "--port",
            default=port,
            show_default=True,
            type=click.IntRange(0, 65535),
            envvar="RAGEVAL_PORT",
            help="0: any free one; the address is said once it is known.",
        )
        host = click.option("--host", default="127.0.0.1", show_default=True, envvar="RAGEVAL_HOST")
        return host(number(command))

    return options


def opened(make: Callable[[], Service], host: str, port: int) -> Service:
    """The service at its address; KitError where nobody may listen there."""
    try:
        return make()
    except OSError as error:
        raise KitError(f"cannot listen on {host}:{port}: {error.strerror}") from error


def serve(service: BaseServer, greeting: str) -> None:
    """Say the address, and answer until Ctrl-C."""
    try:
        say(f"listening on {greeting}; Ctrl-C ends it")
        service.serve_forever(0.1)
    except KeyboardInterrupt:
        say("stopped")
    finally:
        service.server_close()
