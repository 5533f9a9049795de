"""How often each rule of the classifier was right, as it was measured; the screen shows it beside the hand-set score.

``rule_accuracy.json`` is written by ``python benchmarks/receipt.py``, from the questions whose judgement names the
intent.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourfold.lab.evaluate import Rule


@cache
def _measured() -> dict[str, tuple[int, int]]:
    text = resources.files("fourfold.lab").joinpath("rule_accuracy.json").read_text("utf-8")
    return {rule: (int(right), int(fired)) for rule, (right, fired) in json.loads(text)["rules"].items()}


def accuracy(rule: str) -> tuple[int, int] | None:
    """(right, fired) of a rule; None where it was not measured."""
    return _measured().get(rule)


def written(rules: Sequence[Rule], command: str, date: str) -> str:
    """The text of the file, from a measurement."""
    data = {"command": command, "date": date, "rules": {rule.rule: [rule.right, rule.fired] for rule in rules}}
    return json.dumps(data, indent=2) + "\n"
