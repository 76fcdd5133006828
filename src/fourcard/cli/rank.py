"""Hand ranking: the `rank` command."""

from typing import Annotated

import typer

from fourcard.cli.output import Json, card_faces, console, print_json


def rank(
    cards: Annotated[list[str], typer.Argument(help="Four to six cards, such as 'As Ah Kd 7c 2h'.")],
    json: Json = False,
) -> None:
    """Rank the best four-card hand of four to six cards."""
    from fourcard.cards import cards_text, parse_cards
    from fourcard.hands import HAND_SIZE, MOST_CARDS, best_hand

    held = parse_cards(" ".join(cards), range(HAND_SIZE, MOST_CARDS + 1))
    hand = best_hand(held)
    if json:
        print_json(
            {
                "hand": hand.category.text,
                "best": cards_text(hand.cards),
                "strength": hand.strength,
                "name": hand.name,
            }
        )
        return
    out = console()
    out.print(card_faces(hand.cards), f"  [bold]{hand.name}[/]")
    unused = [card for card in held if card not in hand.cards]
    if unused:
        out.print("[dim]not used:[/]", card_faces(unused))
    out.print(f"[dim]strength {hand.strength:,} of 0 to 2,534[/]")
