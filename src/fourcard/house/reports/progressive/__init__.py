"""Reports on progressive meters: meters, wins, jackpots, adjustments, alerts, consoles and exports."""
