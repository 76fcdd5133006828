"""The clauses that the kit's rounds are about, by topic; written down, because a kit never changes."""

TOPICS: dict[str, tuple[str, str, str, str, str]] = {
    "pays": ("MA-11a1.1", "SM-W1-9", "MD-12A", "WA-W1-9", "IA-PAY-1.2"),
    "ties": ("MA-11a1.2", "SM-W1-6", "MD-11D4cii.1", "WA-W1-6", "IA-RANK-3.3"),
    "beaten": ("MA-10d.3", "SM-W1-10", "MD-11D4ci", "WA-W1-10", "IA-PAY-1.3"),
    "ranking": ("MA-3b.0 MA-3c.1", "SM-RANK-1", "MD-06C.0 MD-06D", "WA-RANK-1", "IA-RANK-2.0 IA-RANK-3.1"),
    "play": ("MA-1-PLAY.2", "SM-W1-5", "MD-07E1", "WA-W1-5", "IA-DEF-4"),
    "bonus offered": ("MA-11a2.1", "SM-W1-11", "MD-12B.2", "WA-W1-11 R98", "IA-DEF-5.1"),
    "bonus on a loss": ("MA-11a2.1", "SM-W1-13", "MD-12B.1 R2", "WA-W1-13", "IA-DEF-5.3"),
    "bonus on a fold": ("MA-11a2.1", "R32", "MD-12B.1", "R32", "IA-DEF-5.1"),
    "fold ante": ("MA-10b.2", "SM-W1-8", "MD-11B2", "WA-W1-8", "IA-COMP-2.2"),
    "fold aces_up": ("MA-10b.4", "SM-DEAL-3.2", "MD-11C1", "WA-DEAL-3.2", "IA-COMP-2.3 R1"),
    "fold bad_beat": ("", "R39", "", "R39", ""),
    "fold six_card": ("", "", "MD-11C2", "", ""),
    "fold cover_all": ("R44", "", "", "", ""),
    "fold progressive": ("R48", "R48", "MD-11C3.1", "R48", ""),
    "fold envy": ("R48", "R48", "MD-11C3.2", "R48", ""),
    "positions": ("MA-6e", "SM-DEAL-1.4", "MD-07F", "WA-DEAL-1.4", "IA-WAG-7"),
    "table": ("R38", "R38", "MD-02A1", "R38", "R38"),
    "routine": ("MA-10e.1", "SM-DEAL-6.4", "MD-11D4.0", "WA-DEAL-6.4", "IA-COMP-5.3"),
    "order": ("MA-10e1 MA-10e2 P2", "SM-DEAL-6.3 P13", "MD-11D5 MD-11D8", "WA-DEAL-6.3 P13", "IA-COMP-5.1"),
    "house order": ("P2", "SM-DEAL-6.3", "MD-11D5", "WA-DEAL-6.5", "IA-COMP-5.1"),
    "last wagers": ("R54 MA-12j", "SM-PROG-10c.1", "R54", "WA-PROG-9c.1", ""),
    "envy receiver": ("R50", "SM-PROG-10a.2 R50", "MD-01B2 R50", "WA-PROG-9a.2 R50", ""),
    "envy own": ("R52", "SM-PROG-10a.3 R52", "MD-11D10eiii R52", "WA-PROG-9a.3 R52", ""),
    "envy several": ("R53", "SM-PROG-10c.2 R53", "MD-11D10eii R53", "WA-PROG-9c.2 R53", ""),
    "envy dealer": ("R68", "SM-PROG-10a.4", "MD-11D10eiii", "WA-PROG-9a.4", ""),
    "meter": ("MA-13a4 R58", "SM-PROG-9a R58", "MD-12D4 R58", "WA-PROG-8a R58", ""),
    "fixed awards": ("P3", "SM-PROG-9b R19", "P3", "WA-PROG-8b R19", ""),
    "stakes": ("R55 R57", "SM-PROG-3.12 R57", "R55 R57", "R100 R57", ""),
    "limits": ("MA-6a1.2", "SM-W3-3", "P8", "WA-W3-3", "IA-WAG-1"),
    "leaving": ("MA-6c.2", "P11", "MD-07B2 R36", "P11", "IA-WAG-4.2"),
    "own aces_up": ("MA-11a3.2 R34", "P5", "MD-12C.0", "WA-LTR-3", "IA-PAY-2.2"),
    "own automatic_bonus": ("MA-11a2.3 R34", "SM-W1-12 P5", "MD-12B.2", "WA-W1-12", "IA-PAY-3.2"),
    "own bad_beat": ("", "SM-BB-4 P5", "", "WA-LTR-3", ""),
    "needs bad_beat": ("", "R41", "", "R41", ""),
    "needs six_card": ("", "", "MD-07E5a.1 R11", "", ""),
    "needs cover_all": ("R45", "", "", "", ""),
    "needs progressive": ("R68", "SM-PROG-5.1 R94", "MD-07E4a.1", "WA-PROG-4.1 R94", ""),
}
COLUMNS = ("massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend")


def clauses(rulebook: str, *topics: str) -> tuple[str, ...]:
    """Return the clauses of some topics in a rulebook, each once."""
    found = (TOPICS[topic][COLUMNS.index(rulebook)].split() for topic in topics)
    return tuple(dict.fromkeys(clause for ids in found for clause in ids))
