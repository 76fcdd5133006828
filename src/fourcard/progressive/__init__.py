"""The progressive system beside a table: consoles, jackpots under dual control, the meter's link."""
