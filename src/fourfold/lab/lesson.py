"""A guided walk from four lists to the final one: every number of every step comes from the real engine, now.

The steps before the boost are fused with boost 0 and demotion 1, so that each later step adds one thing and its effect
is seen alone. `lesson` works on any question over any index; a step that has nothing to show there is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fourfold.lab.exercises import Exercise, exercises
from fourfold.lab.what_if import Fetched, Knobs, Scorer, fetch, leave_out, ranking
from fourfold.model import LETTERS, MODALITIES, Answer, Modality, PlanOptions, Question, Result
from fourfold.search.engine import Engine
from fourfold.search.fuse import merge_files

#: The question of the lesson on the codebase that ships, and how deep its lists are.
QUESTION = "how does a delayed parcel find another route"
DEPTH = 16
#: The values of k that are shown one after the other.
KS = (1, 40, 60, 1000)
SHOWN = 10
WORDS: Mapping[Modality, str] = {
    "semantic": "meaning", "text": "words", "structural": "names, syntax", "graph": "references",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One place in one list: ``rank`` from 0, as everywhere."""

    rank: int
    label: str
    path: str
    raw_score: float


@dataclass(frozen=True, slots=True)
class Sum:
    """A line of arithmetic; ``modality`` is the list that it speaks of, if one."""

    text: str
    modality: Modality | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A prediction: the question, what can be chosen, which one is right (from 0), and why."""

    question: str
    choices: tuple[str, ...]
    right: int
    because: str


@dataclass(frozen=True, slots=True)
class Step:
    """``results`` is the list that this step ends with, ``before`` where each file stood one step earlier (by path);
    ``caption`` says under which rule. ``follow`` is the path that the arithmetic is about."""

    key: str
    title: str
    text: str
    ask: Ask
    sums: tuple[Sum, ...]
    results: tuple[Result, ...] = ()
    before: Mapping[str, int] = field(default_factory=dict)
    caption: str = ""
    follow: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """``lists`` are the first places of each list that is fused; ``fetched`` is what the exercises are fused from."""

    answer: Answer
    fetched: Fetched
    lists: Mapping[Modality, tuple[Entry, ...]]
    steps: tuple[Step, ...]
    exercises: tuple[Exercise, ...]


class NoLesson(ValueError):
    """There is nothing to show for a question; the text says so in one line."""


def lesson_question(text: str, depth: int | None = None, base: Question | None = None) -> Question:
    """The question, fused, with every modality that has a weight, whatever it would else be answered by."""
    options = PlanOptions(preset="thorough", strategy="fused", depth=depth)
    return replace(base, text=text, options=options) if base is not None else Question(text, options)


def lesson(engine: Engine, question: Question) -> Lesson:
    """The whole walk for a `lesson_question`. Raises `NoLesson` where fewer than two files are found; `PlanError`."""
    answer = engine.ask(question)
    fetched = fetch(engine, question, answer)
    if answer.total < 2:
        raise NoLesson("a lesson needs a question that finds at least two files")
    walk = _Walk(answer, fetched)
    return Lesson(answer, fetched, walk.lists(), tuple(walk.steps()), exercises(fetched))


def label(path: str, symbol: str, line: int) -> str:
    """``delays reroute`` for a definition, ``delays.md:7`` for other lines: short enough for a column."""
    file = path.rpartition("/")[2]
    stem, dot, ending = file.rpartition(".")
    if not symbol or ending in ("md", "rst", "txt"):
        return f"{file}:{line}"
    return f"{stem if dot else file} {symbol.rpartition('.')[2]}"


def name(result: Result) -> str:
    return label(result.path, result.symbol, result.start_line)


def called(modality: Modality) -> str:
    """``A, names and syntax``: a list by its letter and by what its column is headed with."""
    return f"{LETTERS[modality]}, {WORDS[modality].replace(', ', ' and ')}"


def small(value: float) -> str:
    """.00806: five places, as the explanation shows them; one more where five would show little."""
    text = f"{value:.5f}" if value >= 0.0015 else f"{value:.6f}"
    return text[1:] if text.startswith("0.") else text


class _Walk:
    """The steps over one question. ``bare`` knobs have neither boost nor demotion."""

    def __init__(self, answer: Answer, fetched: Fetched) -> None:
        self.answer, self.fetched = answer, fetched
        self.published = fetched.published
        self.bare = replace(self.published, boost=0.0, demotion=1.0)
        self.k = self.published.k
        self.runs = self.published.runs
        self.first = self._ranked(self.bare)[0]

    def lists(self) -> dict[Modality, tuple[Entry, ...]]:
        found = {}
        for modality in self.runs:
            entries = []
            for rank, hit in enumerate(self.fetched.lists[modality].hits[: self.published.depth][:SHOWN]):
                chunk = self.fetched.chunks[hit.chunk_id]
                text = label(chunk.path, chunk.symbol, chunk.start_line)
                entries.append(Entry(rank, text, chunk.path, hit.raw_score))
            found[modality] = tuple(entries)
        return found

    def steps(self) -> Iterator[Step]:
        before: Mapping[str, int] = {}
        makers: list[Callable[[], Step | None]] = [self._lists, self._scores, self._weights]
        makers += [lambda k=k: self._k(k) for k in KS]  # type: ignore[misc]
        makers += [self._contributions, self._agreement, self._boost, self._demotion, self._per_file, self._final]
        for make in makers:
            step = make()
            if step is not None:
                yield replace(step, before=before if step.results else {})
                before = {result.path: result.position for result in step.results} or before

    # ------------------------------------------------------------------ helpers

    def _ranked(self, knobs: Knobs) -> tuple[Result, ...]:
        return ranking(self.fetched, knobs, SHOWN).results

    def _choose(self, right: str, others: Sequence[str], most: int = 4) -> tuple[tuple[str, ...], int]:
        """Up to ``most`` different choices in an order that does not give the answer away, and where the right one is:
        sorted by name, so that it is the same each time."""
        kept = list(dict.fromkeys(other for other in others if other != right))[: most - 1]
        choices = tuple(sorted([right, *kept]))
        return choices, choices.index(right)

    def _firsts(self) -> list[str]:
        """Names that could be taken for the first: the first of each list, then those of the bare list."""
        entries = [found[0].label for found in self.lists().values() if found]
        return [*entries, *(name(result) for result in self._ranked(self.bare)[:4])]

    def _who_first(self, results: Sequence[Result], question: str, because: str) -> Ask:
        right = name(results[0])
        choices, at = self._choose(right, [*(name(result) for result in results[1:3]), *self._firsts()])
        return Ask(question, choices, at, because)

    def _parts(self, result: Result, k: int) -> tuple[Sum, ...]:
        """One line a list, then the sum."""
        lines = [
            Sum(
                f"{LETTERS[part.modality]} #{part.rank + 1:<3} {part.weight:g} × 1/({k} + {part.rank + 1}) "
                f"= {small(part.contribution)}",
                part.modality,
            )
            for part in result.contributions
        ]
        missing = [modality for modality in self.runs if modality not in {p.modality for p in result.contributions}]
        lines += [Sum(f"{LETTERS[m]} —    not in its first {self.published.depth}", m) for m in missing]
        return (*lines, Sum(f"Σ {small(sum(part.contribution for part in result.contributions))}"))

    # ------------------------------------------------------------------ the steps

    def _lists(self) -> Step:
        lists = self.lists()
        path = self.first.path
        holding = [m for m, found in lists.items() if any(entry.path == path for entry in found[:3])]
        file = path.rpartition("/")[2]
        choices = ("in none", *(f"in {number}" for number in range(1, len(self.runs) + 1)))
        where = ", ".join(LETTERS[m] for m in MODALITIES if m in holding) or "none"
        sums = []
        for modality in self.runs:
            hits = self.fetched.lists[modality].hits[: self.published.depth]
            sums.append(Sum(f"{LETTERS[modality]} {modality}: {len(hits)} places", modality))
        return Step(
            "lists",
            f"{len(self.runs)} lists",
            f"“{self.answer.question.text}” goes to {len(self.runs)} retrievers. Each reads the code in its own way "
            "and returns its own list, best first.",
            Ask(f"In how many of the lists is {file} among the first three?", choices, len(holding), f"{where}."),
            tuple(sums),
            follow=path,
        )

    def _scores(self) -> Step:
        """The raw scores added as they are."""
        scorer = Scorer(self.fetched, self.bare)
        plan = replace(self.fetched.plan, strategy="fused")
        added = []
        for row in scorer.rows:
            if scorer.parts(row):
                made = scorer.result(row, plan, 0, ())
                parts = tuple(replace(p, weight=1.0, contribution=p.raw_score) for p in made.contributions)
                added.append(replace(made, contributions=parts, score=sum(p.raw_score for p in parts)))
        added.sort(key=lambda r: (-r.score, -len(r.contributions), r.path, r.start_line))
        results = tuple(merge_files(added)[:SHOWN])
        sums, widths = [], {}
        for modality in self.runs:
            hits = self.fetched.lists[modality].hits[: self.published.depth]
            if hits:
                widths[modality] = abs(hits[0].raw_score - hits[-1].raw_score)
                sums.append(
                    Sum(
                        f"{LETTERS[modality]} {hits[0].raw_score:.2f} … {hits[-1].raw_score:.2f}, "
                        f"{widths[modality]:.2f} apart",
                        modality,
                    )
                )
        top = results[0]
        sums.append(Sum(f"{name(top)}:"))
        sums.append(Sum("  " + " + ".join(f"{p.raw_score:.2f}" for p in top.contributions) + f" = {top.score:.2f}"))
        loud = max(widths, key=lambda modality: widths[modality])
        return Step(
            "scores",
            "Why ranks and not scores",
            "Each list has a scale of its own. Added as they are, the list with the widest scale decides alone. "
            "Places are on one scale in every list, so places are what is added.",
            self._who_first(
                results, "Raw scores added as they are: who comes first?", f"{called(loud)}, has the widest scale."
            ),
            tuple(sums),
            results,
            caption="raw scores, added as they are",
            follow=top.path,
        )

    def _weights(self) -> Step:
        plain = ranking(self.fetched, replace(self.bare, rule="plain"))
        results = self._ranked(self.bare)
        gains = {r.path: plain.positions.get(r.path, 99) - r.position for r in results[:8]}
        up = max(results[:8], key=lambda r: (gains[r.path], -r.position))
        weights = "  ".join(f"{LETTERS[m]} {self.published.weight(m):g}" for m in self.runs)
        intent = self.answer.plan.intent.name.replace("_", " ")
        others = [name(r) for r in sorted(results[:8], key=lambda r: gains[r.path])]
        choices, at = self._choose(name(up), others)
        if gains[up.path] > 0:
            why = f"Up {gains[up.path]} place{'s' * (gains[up.path] > 1)}, to #{up.position}."
        else:
            why = f"Nothing rises here; it stands at #{up.position}."
        sums = [Sum(f"{LETTERS[m]} counts {self.published.weight(m):g}", m) for m in self.runs]
        sums.append(Sum(f"{name(up)}: #{plain.positions.get(up.path, 0)} with weights 1, #{up.position} now"))
        return Step(
            "weights",
            "Weights",
            f"A place gives weight × 1/(k + place). This question was taken as “{intent}”, "
            f"whose weights are {weights}: not every list is worth the same for it.",
            Ask("From equal weights to these: which rises most?", choices, at, why),
            tuple(sums),
            results,
            caption=f"weighted places, k = {self.k}",
            follow=up.path,
        )

    def _k(self, k: int) -> Step:
        results = self._ranked(replace(self.bare, k=k))
        one, two, ten = 1 / (k + 1), 1 / (k + 2), 1 / (k + 10)
        sums = (
            Sum(f"place 1   1/({k} + 1)  = {small(one)}"),
            Sum(f"place 2   1/({k} + 2)  = {small(two)}"),
            Sum(f"place 10  1/({k} + 10) = {small(ten)}"),
            Sum(f"so place 1 counts {one / ten:.2f} × place 10"),
        )
        if k <= 5:
            words = "k small: the step from place to place is steep, and a single first place decides."
        elif k >= 500:
            words = "k large: the steps are almost flat. To be in many lists counts, the place hardly."
        else:
            words = "k in between: good places count, and so does agreement. This range is what is used in practice."
        return Step(
            f"k{k}",
            f"k is a step: k = {k}",
            words + (f" (The plan here has k = {self.k}.)" if k != self.k else " This is the k of the plan here."),
            self._who_first(results, f"With k = {k}: who stands first?", _led(results[0])),
            sums,
            results,
            caption=f"weighted places, k = {k}",
            follow=results[0].path,
        )

    def _contributions(self) -> Step:
        results = self._ranked(self.bare)
        top = results[0]
        best = max(top.contributions, key=lambda part: part.contribution)
        choices = tuple(called(part.modality) for part in top.contributions)
        right = choices.index(called(best.modality))
        share = best.contribution / sum(part.contribution for part in top.contributions)
        return Step(
            "contributions",
            "Contributions",
            f"What each list gives to the first result, {name(top)}: its weight times 1/(k + place). Their sum is the "
            "score. There is nothing else in it so far.",
            Ask(f"Which list gives most to {name(top)}?", choices, right, f"{share:.0%} of it."),
            self._parts(top, self.k),
            results,
            caption=f"weighted places, k = {self.k}",
            follow=top.path,
        )

    def _agreement(self) -> Step | None:
        """Where the first result would stand, had only its best list found it."""
        ranked = ranking(self.fetched, self.bare).results
        top = ranked[0]
        if len(top.contributions) < 2:
            return None
        best = max(top.contributions, key=lambda part: part.contribution)
        place = 1 + sum(other.score > best.contribution for other in ranked[1:])
        near = sorted(
            {1, 2, 3, 5, place + 1, place + 3, max(1, place - 1)} - {place}, key=lambda n: (abs(n - place), n)
        )
        choices = tuple(f"#{n}" for n in sorted([place, *near[:3]]))
        others = len(top.contributions) - 1
        return Step(
            "agreement",
            "Agreement",
            f"{name(top)} is #{best.rank + 1} in {LETTERS[best.modality]}, its best list, and stands in {others} more. "
            "Each list that agrees adds its share, so that many good places beat one excellent place.",
            Ask(
                f"If {called(best.modality)}, alone had found it: where would it stand?",
                choices,
                choices.index(f"#{place}"),
                f"{small(best.contribution)} instead of {small(top.score)}.",
            ),
            (
                *_in_one(top),
                Sum(f"{LETTERS[best.modality]} alone: {small(best.contribution)}, place {place}", best.modality),
            ),
            ranked[:SHOWN],
            caption=f"weighted places, k = {self.k}",
            follow=top.path,
        )

    def _boost(self) -> Step:
        knobs = replace(self.published, demotion=1.0)
        results = self._ranked(knobs)
        top = max(results, key=lambda r: r.boost)
        others = [name(r) for r in sorted(results, key=lambda r: r.boost) if r.boost < top.boost - 1e-9]
        choices, at = self._choose(name(top), others)
        by_boost = sorted(results, key=lambda r: -r.boost)
        sums = [Sum("boost = 1 + 0.3 × ln(1 + centrality)")]
        sums += [Sum(f"{r.boost:.3f} ← {r.centrality:.2f}  {name(r)}") for r in by_boost[:4]]
        return Step(
            "boost",
            "Boost",
            "What much of the codebase refers to is likely to matter: its score is multiplied by a factor of 1 to 1.5 "
            "that grows with its centrality in the graph of references.",
            Ask("Which of these has the largest boost?", choices, at, f"× {top.boost:.3f}; now at #{top.position}."),
            tuple(sums),
            results,
            caption="… × boost",
            follow=top.path,
        )

    def _demotion(self) -> Step:
        plain = self._ranked(replace(self.published, demotion=1.0))
        results = self._ranked(self.published)
        demoted = [result for result in plain if result.demotion_reason]
        positions = ranking(self.fetched, self.published).positions
        sums = [
            Sum(f"× {self._factor(r):g}  #{r.position} → #{positions[r.path]}  {name(r)}") for r in demoted[:5]
        ] or [Sum("no result of the first ten is demoted")]
        if demoted:
            right = demoted[0]
            others = [name(r) for r in plain if not r.demotion_reason]
            choices, at = self._choose(name(right), others)
            ask = Ask(
                "Which of these counts less for where it lies?",
                choices,
                at,
                f"× {self._factor(right):g}, as {right.demotion_reason}.",
            )
        else:
            ask = Ask(
                "How many of the first ten are demoted?", ("0", "1", "2", "3"), 0, "All of it is code of its own."
            )
        return Step(
            "demotion",
            "Demotion",
            "Tests, examples, prose, vendored and generated files are halved, unless the question asks for them. "
            "They are never dropped.",
            ask,
            tuple(sums),
            results,
            caption="… × boost × demotion",
            follow=demoted[0].path if demoted else results[0].path,
        )

    def _factor(self, result: Result) -> float:
        return self.fetched.demotions[result.chunk_id].factor

    def _per_file(self) -> Step | None:
        """The best chunk of a file against the sum of all its chunks."""
        whole = ranking(self.fetched, self.published).results
        many = max(whole, key=lambda r: (r.more_in_file, -r.position))
        if not many.more_in_file:
            return None
        added = sorted(whole, key=lambda r: (-sum(each.score for each in (r, *r.others)), r.path))
        right = added[0]
        files = [r.path.rpartition("/")[2] for r in (*added[1:3], *whole[:3])]
        choices, at = self._choose(right.path.rpartition("/")[2], files)
        chunks = (right, *right.others)
        same = right.path == whole[0].path
        sums = [Sum(f"{small(each.score)}  {name(each)}") for each in chunks[:4]]
        sums += [Sum(f"… and {len(chunks) - 4} more")] if len(chunks) > 4 else []
        sums.append(Sum(f"added {small(sum(each.score for each in chunks))}, best {small(right.score)}"))
        return Step(
            "per_file",
            "Best per file",
            "The lists hold pieces of files: functions, methods, classes. The best piece of each file stands for it. "
            "Added up, long files would win by their length.",
            Ask(
                "If the pieces of each file were added up, which file would be first?",
                choices,
                at,
                "The same as by its best piece." if same else f"By its best piece it stands at #{right.position}.",
            ),
            tuple(sums),
            self._ranked(self.published),
            caption="the best piece of each file",
            follow=right.path,
        )

    def _final(self) -> Step:
        top = self.answer.results[0]
        best = max(top.contributions, key=lambda part: part.contribution)
        changed = leave_out(self.published, best.modality)
        other = ranking(self.fetched, changed, SHOWN).results if changed is not None else self.answer.results
        choices, at = self._choose(name(other[0]), [*(name(r) for r in self.answer.results[:3]), *self._firsts()])
        total = sum(part.contribution for part in top.contributions)
        sums = (
            *self._parts(top, self.k),
            Sum(f"{small(total)} × {top.boost:.3f} × {top.demotion:g} = {small(top.score)}"),
        )
        return Step(
            "final",
            "The final list",
            "This is what the engine answers: score = demotion × boost × Σ weight / (k + place). "
            "Every number can be traced to a place in a list.",
            Ask(
                f"One more: without {called(best.modality)}: who would be first?",
                choices,
                at,
                "The same: the others agree." if other[0].path == top.path else "That list carried the first one.",
            ),
            sums,
            self.answer.results[:SHOWN],
            caption="the answer",
            follow=top.path,
        )


def _led(result: Result) -> str:
    places = ", ".join(f"{LETTERS[part.modality]} #{part.rank + 1}" for part in result.contributions)
    return f"{places}."


def _in_one(result: Result) -> tuple[Sum, ...]:
    parts = " + ".join(small(part.contribution) for part in result.contributions)
    places = " ".join(f"{LETTERS[part.modality]}#{part.rank + 1}" for part in result.contributions)
    total = small(sum(part.contribution for part in result.contributions))
    # on a line of its own: four parts and their sum are wider than half of 80 columns
    return (Sum(f"{name(result)}  {places}"), Sum(f"  {parts}"), Sum(f"  = {total}"))
