"""Development tools: clause proofs, rulebook mutation tests, lint checks, documents and builds."""
