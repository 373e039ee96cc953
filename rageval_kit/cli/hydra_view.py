"""What does Hydra itself answer: --cfg, --info, --help, --hydra-help and completion?"""

import contextlib
import io
import sys
from typing import Any

from rageval_kit.build.choices import choices
from rageval_kit.build.composed import sentence
from rageval_kit.build.overrides import for_hydra
from rageval_kit.cli.streams import say
from rageval_kit.cli.words import RunWords
from rageval_kit.records.faults import InputError


def show(words: RunWords) -> int:
    """Let Hydra answer; what it refuses is said on one line and ends with 2, not with its 1."""
    import hydra

    if words.multirun:
        way_out = "leave -m out, or use rageval-kit plan -m"
        raise InputError.one("-m", "Hydra shows one run at a time", "", way_out)
    found = choices(words.config_dir)
    overrides = words.overrides
    if "--shell-completion" not in words.flags:
        overrides = for_hydra(overrides, found, multirun=words.multirun)
    task: Any = hydra.main(
        version_base="1.3", config_path=str(found.shipped), config_name="config"
    )(_nothing)
    typed, refused = sys.argv, io.StringIO()
    sys.argv = ["rageval-kit", *words.hydra_words(overrides)]
    try:
        with contextlib.redirect_stderr(refused):
            task()
    except SystemExit as ended:
        if ended.code not in (None, 0):
            raise InputError.one("configuration", sentence(refused.getvalue())) from ended
    except ValueError as error:  # flags that exclude one another
        raise InputError.one("command line", sentence(str(error))) from error
    finally:
        sys.argv = typed
    if refused.getvalue():
        say(refused.getvalue().rstrip("\n"))
    return 0


def _nothing(_config: object) -> None:
    """The task of a Hydra that only shows; it is never asked to evaluate."""
