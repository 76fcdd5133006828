"""Player rules: a rulebook in sentences for players, each made from its data and with its clauses."""

from fourcard.rules.player_rules.page import (
    RulebookList,
    RulebookRules,
    RulesPage,
    rulebook_list,
    rulebook_rules,
    rules_page,
)

__all__ = ["RulebookList", "RulebookRules", "RulesPage", "rulebook_list", "rulebook_rules", "rules_page"]
