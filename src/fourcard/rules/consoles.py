"""Console schema: lights, buttons, key and cards of the progressive system's console."""

from collections.abc import Mapping
from typing import Literal

from fourcard.rules.nodes import Cited
from fourcard.rules.procedures import Part

Console = Literal["keypad", "touch"]
StartButton = Literal["coin_in", "start_game"]
EndButton = Literal["game_over", "end_game"]
ConsoleMotion = Literal[
    "select_spot",
    "press_hand",
    "turn_to_jph",
    "press_j_pot",
    "turn_to_run",
    "press_confirm",
    "swipe_card",
]
"""Operator motions on a console between a win and its payment."""


class ConsoleRules(Part, frozen=True, kw_only=True):
    """Rules of one console: lights, buttons, and the motions that log a win and adjust the meter."""

    own_sensor: Cited[bool]
    """Whether a chip counts only on the sensor of its own position."""
    lights_placed: Cited[bool]
    """Whether a sensor lights when a chip is placed on it."""
    starts: Cited[StartButton]
    """Button that registers the wagers and locks out later ones."""
    lights_registered: Cited[bool]
    """Whether lights then mark the registered wagers."""
    cycle: Mapping[ConsoleMotion, Cited[int]]
    """The motions of one winner's confirmation in their order, counted from 1."""
    hand_toggles: Cited[bool]
    """Whether the same hand button pressed again cancels."""
    verified: Cited[bool]
    """Whether a win is verified against the cards before anybody confirms it."""
    light_verified: Cited[bool] | None = None
    """Whether the winner's light is checked too."""
    logs_at: Cited[ConsoleMotion]
    """The motion that records the win in the Game Manager."""
    final_at: Cited[ConsoleMotion]
    """The motion after which no button undoes it."""
    adjusts_at: Cited[ConsoleMotion]
    """The motion that adjusts the meter for the prize."""
    run_restores: Cited[bool] | None = None
    """Whether the table is out of normal operation until the key is back."""
    monitor: Cited[bool]
    """Whether a monitor shows the amount due."""
    win_page: Cited[bool]
    """Whether a page of the win can be printed."""
    ends: Cited[EndButton]
    """The button that resets the system for the next hand."""
    manual_adjustment: Cited[bool]
    """Whether a logged win is backed out by a manual adjustment."""
