"""The worst losses of an experiment, read back from what ``fourfold evaluate --json`` printed, to be looked into."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from fourfold.lab.snapshot import MOST_BYTES, from_plain
from fourfold.model import PlanOptions


class LossesError(ValueError):
    """A file without losses that can be asked again; the text says why in one line."""


@dataclass(frozen=True, slots=True)
class Side:
    """One plan of an experiment: what it is called, its options, and the index it asks (None: the root's own)."""

    name: str
    options: PlanOptions
    index: str | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """``difference`` is candidate minus baseline, by the experiment's metric: below 0."""

    query: str
    difference: float


@dataclass(frozen=True, slots=True)
class Losses:
    """``root`` is the name of the folder that was asked."""

    root: str
    baseline: Side
    candidate: Side
    worst: tuple[Loss, ...]


def is_report(path: Path) -> bool:
    """Whether a file begins as the JSON of ``fourfold evaluate`` does."""
    try:
        with path.open("rb") as handle:
            return handle.read(60).replace(b" ", b"").startswith(b'{"schema":1,"root":')
    except OSError:
        return False


def load(path: Path) -> Losses:
    """The losses that a report holds. Raises `LossesError`."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise LossesError(f"{path.name} is too large for a report")
        data = json.loads(path.read_text("utf-8"))
        found = data.get("comparison")
        if not found or not found.get("sides"):
            raise LossesError(f"{path.name} holds no experiment whose plans can be asked again")
        one, two = (from_plain(Side, side) for side in found["sides"])
        worst = tuple(Loss(str(row["query"]), float(row["difference"])) for row in found["worst"])
        return Losses(str(data["root"]), one, two, worst)
    except OSError as error:
        raise LossesError(f"cannot read {path}: {error.strerror or error}") from None
    except LossesError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise LossesError(f"{path.name} is a damaged report") from None
