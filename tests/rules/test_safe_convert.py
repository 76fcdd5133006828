"""Conversions from many threads at once, which crash the interpreter without a lock."""

import subprocess
import sys

RACE = """
import sys, threading
import msgspec
from fourcard.rules.safe_convert import safe_convert as convert

sys.setswitchinterval(1e-6)
shapes = []
for number in range(400):
    inner = msgspec.defstruct(f"Inner{number}", [("some", dict[str, int]), ("more", list[str])])
    shapes.append(msgspec.defstruct(f"Outer{number}", [("reads", dict[str, inner]), ("words", list[inner])]))
plain = {"some": {"a": 1}, "more": ["b"]}
start = threading.Barrier(8)

def work():
    for shape in shapes:
        start.wait()
        convert({"reads": {"x": plain}, "words": [plain]}, shape)

threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_first_conversions_from_many_threads_do_not_crash() -> None:
    done = subprocess.run(
        [sys.executable, "-c", RACE], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
