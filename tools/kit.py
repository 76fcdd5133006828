"""Builds the laboratory's kit of test rounds, and checks that the committed file is what it builds.

No answer is believed because the engine gives it: a second, slow settlement must agree on hands, nets and
meter, the steps must obey the order of the sources, each round's own sentence must come true, and each
refusal must be the one that was expected.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain

import msgspec

from fourcard.lines.answering import answer_line, encoded
from fourcard.lines.kit import KIT, essence
from fourcard.rules.rulings import is_address
from tests.second.order import order_problems
from tests.second.settlement import settle
from tools.claims import ROOT
from tools.kit_case import Case, Line
from tools.kit_tables import table_rounds

for each in table_rounds():
    print(json.dumps(each.round)); print(each.shows)
    answer = essence(encoded(answer_line(json.dumps(each.round))))
    second = settle(each.round)
    assert all(answer[k]==second[k] for k in ("seats","dealer","meter")), (answer, second)
    assert not order_problems(each.round, answer["steps"])
    nets = {(s["position"],w):n for s in answer["seats"] for w,n in s["net"].items()}
    for p,n in each.nets.items(): assert nets[p]==n, (p, n, nets[p])
