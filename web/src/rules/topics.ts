/** What clauses are about: the topics of the ledger, in the order of a round. */
export const TOPICS = [
  "cards", "deck", "deck-change", "equipment", "layout", "opening", "shuffle", "cut", "wagers", "limits", "deal-shoe",
  "deal-hand", "deal-auto", "stub-count", "ranking", "play-decision", "settlement", "payout", "automatic-bonus", "aces-up",
  "bad-beat", "six-card-bonus", "cover-all", "progressive", "envy", "meter", "jackpot-workflow", "progressive-system",
  "irregularity", "roles", "approval", "submission", "math",
];
