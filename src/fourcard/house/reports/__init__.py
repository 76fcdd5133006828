"""What the books say: statements, the trial balance, results of tables, and what each table is."""
