"""As text, beside a link that leads out over a redirector of a known site."""

from rageval_kit.generate.payload.sheet import Sheet


def carry(sheet: Sheet, payload: str) -> Sheet:
    link = f" ![plan](https://{host_of(sheet.host, sheet.site)}/plan.png)"
    return sheet.with_link(link).with_paragraph(payload)


def host_of(host: str, site: str) -> str:
    return f"{site}/go?to=https://{host}"
