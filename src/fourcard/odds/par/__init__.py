"""The PAR sheet of a submission: every wager's mathematics, in the form that a laboratory asks for."""
