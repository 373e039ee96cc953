"""Where do conf/, suites/ and the report templates lie: inside the wheel, or in the checkout?"""

import hashlib
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def tree(name: str) -> Path:
    """Return the folder `conf`, `suites` or `reports/templates`, absolute.

    A wheel carries them under `_data/`; in a checkout they stand beside the package.
    """
    packaged = _PACKAGE / "_data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def code_digest() -> str:
    """sha-256 over the kit's own modules: results of changed code are never taken for the same."""
    body = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        body.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0")
        body.update(path.read_bytes())
    return body.hexdigest()
