"""Where do conf/, suites/ and the report templates lie: inside the wheel, or in the checkout?"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def tree(name: str) -> Path:
    """Return the folder `conf`, `suites` or `reports/templates`, absolute.

    A wheel carries them under `_data/`; in a checkout they stand beside the package.
    """
    packaged = _PACKAGE / "_data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name
