"""Data routes: files for pages without a house, open to all, fetched again only when they have changed."""

from collections.abc import Iterator

import msgspec
import pytest

from fourcard.odds.trainer_games import TrainerGames, trainer_games
from tests.api.api_client import ApiReader, house_of, read_house
from tests.kit.houses import TestHouse


@pytest.fixture(scope="module")
def reader() -> Iterator[ApiReader]:
    with house_of(TestHouse()) as house, read_house(house) as found:
        yield found


def test_the_games_are_sent_whole_and_only_when_they_have_changed(reader: ApiReader) -> None:
    sent = reader.raw("/data/games.json")
    assert sent.status_code == 200
    assert msgspec.json.decode(sent.content, type=TrainerGames) == trainer_games()
    assert sent.headers["cache-control"] == "no-cache"
    again = reader.client.get("/data/games.json", headers={"if-none-match": sent.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    changed = reader.client.get("/data/games.json", headers={"if-none-match": 'W/"other"'})
    assert (changed.status_code, changed.content) == (200, sent.content)
