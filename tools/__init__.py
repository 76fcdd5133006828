"""What keeps the project honest: proofs, sabotage and the plan of the house."""
