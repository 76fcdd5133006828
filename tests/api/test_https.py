"""A hosted house really served: its own process, a certificate, https and wss."""

import datetime as dt
import os
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from fourcard.cli.house_maintenance import new
from fourcard.server.run import free_port
from tests.kit.commands import PASSWORD
from tests.kit.waiting import PATIENCE


def certified(folder: Path) -> tuple[Path, Path]:
    """Create a key and a self-signed certificate for this machine; return both files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "house.pem", folder / "house-key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return certificate, secret


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve a house over https; assert that it ends well and keeps its secrets."""
    (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
    new("ada", password_file=tmp_path / "password", database=str(tmp_path / "house.db"))
    certificate, key = certified(tmp_path)
    port = free_port("127.0.0.1", 0, exactly=False)
    command = [str(Path(sys.executable).parent / "fourcard"), "serve", "--house", "--database", "house.db"]
    command += ["--certificate", str(certificate), "--certificate-key", str(key), "--port", str(port)]
    environment = {name: value for name, value in os.environ.items() if name != "FOURCARD_DATABASE"}
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=log, stderr=log)
    said = ""
    until = time.monotonic() + PATIENCE
    while "The house is open at" not in said:
        assert time.monotonic() < until, said
        assert process.poll() is None, said
        time.sleep(0.02)
        said = (tmp_path / "log").read_text(encoding="utf-8")
    assert f"The house is open at https://127.0.0.1:{port}/" in said
    yield f"127.0.0.1:{port}"
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    said = (tmp_path / "log").read_text(encoding="utf-8")
    assert PASSWORD not in said
    assert "trace" not in said


def test_people_come_by_https_and_look_by_wss(address: str, tmp_path: Path) -> None:
    trusted = ssl.create_default_context(cafile=str(tmp_path / "house.pem"))
    origin = f"https://{address}"
    with httpx.Client(base_url=origin, verify=trusted, headers={"origin": origin}, timeout=PATIENCE) as ada:
        body = {"kind": "staff", "person": "ada", "password": PASSWORD}
        answer = ada.post("/api/sign-in", json=body)
        assert answer.status_code == 200, answer.text
        header = answer.headers["set-cookie"]
        assert header.startswith("__Host-fourcard_session=")
        assert {"Secure", "HttpOnly", "Path=/"} <= {*map(str.strip, header.split(";"))}
        assert answer.headers["strict-transport-security"]
        assert ada.get("/api/me").json()["who"]["person"] == "ada"
        assert ada.get("/").status_code == 200
        token = answer.headers["x-fourcard-token"]
    cookie = {"Cookie": f"__Host-fourcard_session={token}"}
    live = f"wss://{address}/api/tables/nowhere/live"
    with (
        connect(
            live,
            ssl=trusted,
            origin=Origin(origin),
            additional_headers=cookie,
            proxy=None,
            open_timeout=PATIENCE,
        ) as socket,
        pytest.raises(ConnectionClosed) as closed,
    ):
        socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404
    with pytest.raises(httpx.TransportError):
        httpx.get(f"http://{address}/api/me", timeout=PATIENCE)
