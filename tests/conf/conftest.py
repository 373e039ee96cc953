"""The same command and third-party retriever as the tests of the command line."""

import importlib.util
from pathlib import Path

_SPEC = importlib.util.spec_from_file_location(
    "cli_conftest", Path(__file__).parent.parent / "cli" / "conftest.py"
)
_MODULE = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MODULE)
kit, site = _MODULE.kit, _MODULE.site
