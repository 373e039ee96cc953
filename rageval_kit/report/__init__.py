"""How is one evaluation told to people and to machines, from its record alone?"""

from rageval_kit.report.files import write_reports
from rageval_kit.report.junit import junit
from rageval_kit.report.page import all_sections
from rageval_kit.report.render import render
from rageval_kit.report.sarif import sarif
from rageval_kit.report.spreadsheet import csv_rows
from rageval_kit.report.statement import statement
from rageval_kit.report.terminal import console, terminal
from rageval_kit.report.visible import visible

__all__ = [
    "all_sections",
    "console",
    "csv_rows",
    "junit",
    "render",
    "sarif",
    "statement",
    "terminal",
    "visible",
    "write_reports",
]
