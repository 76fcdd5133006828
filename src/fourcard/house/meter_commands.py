"""Meter commands of the Game Manager: link, terms, and adjustments that need two people."""

from typing import Literal

from fourcard.house.commands import HouseCommand

MeterPart = Literal["meter", "reserve"]


class CloseLink(HouseCommand, frozen=True, tag="close_link"):
    """Close a meter's link, so none of its tables takes a progressive wager."""

    reason: str


class OpenLink(HouseCommand, frozen=True, tag="open_link"):
    """Open the link again."""

    reason: str


class ChangeTerms(HouseCommand, frozen=True, tag="change_terms"):
    """Change a meter to the rate, reserve and reset of another submission."""

    submission: str
    """The text of the submission file."""
    reason: str


class ProposeAdjustment(HouseCommand, frozen=True, tag="propose_adjustment"):
    """Propose to add cents to a meter or its reserve; negative cents are taken away."""

    cents: int
    reason: str
    part: MeterPart = "meter"


class ProposeBackOut(HouseCommand, frozen=True, tag="propose_back_out"):
    """Propose to back a logged win out of the meter, by its number."""

    win: int
    reason: str


class EnterReading(HouseCommand, frozen=True, tag="enter_reading"):
    """Enter the last amount on the signs of a restored meter; another person approves it (P38)."""

    cents: int
    reason: str


class ApproveAdjustment(HouseCommand, frozen=True, tag="approve_adjustment"):
    """Approve another person's proposal, which adjusts the meter."""

    number: int


class RejectAdjustment(HouseCommand, frozen=True, tag="reject_adjustment"):
    """Reject a proposal."""

    number: int
    reason: str


MeterCommand = (
    CloseLink
    | OpenLink
    | ChangeTerms
    | ProposeAdjustment
    | ProposeBackOut
    | EnterReading
    | ApproveAdjustment
    | RejectAdjustment
)
