"""Passwords, tokens and link secrets of a whole visit appear in no log, answer or file."""

import json
import logging
from pathlib import Path

import pytest

from fourcard.server.authn import LinkSecrets
from fourcard.server.middleware import JsonLogFormatter, RequestLine
from tests.api.served_house import (
    PASSWORD,
    QUICK,
    TABLE,
    LiveViewer,
    ServedHouse,
    create_house,
    credentials,
    install_table,
    keyed_command,
)
from tests.kit.captured_log import logged

LINKS = LinkSecrets("s3cret-of-the-players-link", "s3cret-of-the-staffs-link")
WRONG, NEW = "a-wr0ng-password-typed", "a-n3w-password-for-dan"


def visit(served: ServedHouse) -> list[str]:
    """Sign in and out in every way, rightly and wrongly; return every secret used."""
    with served.client() as client:
        client.post("/api/sign-in", json=credentials("ann", WRONG))
        client.post("/api/sign-in", json=credentials(WRONG))
        for secret in (LINKS.player, LINKS.staff):
            for path in (f"/enter/{secret}/", f"/{secret}", f"/enter//{secret}", f"/Enter/{secret}"):
                client.get(path)
            client.get(f"/enter/{secret}", params={"again": secret})
            client.post(f"/enter/{secret}")
        client.get(f"/enter/{WRONG}")
    with served.client("dan") as dan:
        own = {"kind": "staff", "person": "dan", "password": NEW, "present": PASSWORD}
        assert dan.post("/api/passwords", json=own).status_code == 204
        token = dan.cookies[served.serving.authenticator.cookie_name]
        dan.get("/api/tables", headers={"authorization": f"Bearer {token}"})
        dan.get(f"/api/tables?after={token[:30]}")
    with LiveViewer(served, "ann") as ann:
        ann.do("buy_in", player="ann", cents=5_000)
        ann.answer("rubbish")
    with served.client("ann") as again:
        again.post(f"/api/tables/{TABLE}/commands", json=keyed_command("fold", position=1))
        last = again.cookies[served.serving.authenticator.cookie_name]
        again.post("/api/sign-out")
    return [PASSWORD, WRONG, NEW, LINKS.player, LINKS.staff, token, ann.token, last]


@pytest.mark.parametrize("level", [logging.INFO, logging.DEBUG])
def test_no_secret_is_in_the_log_or_the_files_of_a_house(tmp_path: Path, level: int) -> None:
    house = create_house(tmp_path / "house.db")
    install_table(house)
    with logged(level) as log, ServedHouse(house, QUICK, LINKS) as served:
        secrets = visit(served)
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    requests = [line for line in lines if line["from"] == "fourcard.requests"]
    assert len(requests) >= 20
    assert all({"at", "level", "what", "method", "path", "status", "ms"} <= {*line} for line in requests)
    assert {line["status"] for line in requests} >= {200, 204, 303, 401, 403, 409}
    assert {line["path"] for line in requests} >= {"/enter/...", "(nowhere)", f"/api/tables/{TABLE}/commands"}
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    for secret in secrets:
        assert len(secret) >= 20
        assert secret not in log.getvalue()
        assert secret.encode() not in kept


def test_a_line_of_the_log_is_one_line_whatever_is_asked_for() -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, "two\nlines %s", ("\u2028\x00\udcff",), None)
    text = JsonLogFormatter().format(record)
    assert text.count("\n") == 0
    assert json.loads(text)["what"] == "two\nlines \u2028\x00\udcff"
    paths = ['/"\n{}', "/api/\udcff"]
    record.lines = [RequestLine(1, "GET", path, 200, 0.1) for path in paths]
    lines = JsonLogFormatter().format(record).split("\n")
    assert [json.loads(line)["path"] for line in lines] == paths
