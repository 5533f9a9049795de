"""What the lab says, checked by doing it: every claim is compared with a fresh answer of the real engine."""

from __future__ import annotations

import itertools
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fourfold.config import Settings
from fourfold.indexing.walk import Found
from fourfold.indexing.walk import walk as walk_root
from fourfold.lab import export, snapshot
from fourfold.lab.ceiling import own_ceiling
from fourfold.lab.exercises import solved
from fourfold.lab.export_svg import as_svg
from fourfold.lab.flips import flips
from fourfold.lab.lesson import KS, Lesson, lesson, lesson_question
from fourfold.lab.lesson_code import files
from fourfold.lab.what_if import Fetched, Knobs, as_question, fetch, leave_out, positions, rank
from fourfold.lab.why_not import Target, why_not
from fourfold.model import MODALITIES, LedgerEntry, PlanOptions, Question, Result
from fourfold.search.engine import Engine
from fourfold.search.fuse import Demotion, fuse
from fourfold.tui.session import Session

QUESTIONS = (
    "how does a delayed parcel find another route",
    "who calls record",
    "what breaks if I change now",
    "where is Depot defined",
    "retry lang:python",
    "surcharge",
    '"no address"',
)
FUSED = QUESTIONS[0]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The lesson's codebase with what can go wrong beside it: an ignored file, a binary, vendored code."""
    from fourfold import paths
    from fourfold.indexing import pipeline

    top = tmp_path_factory.mktemp("town")
    root = top / "parcels"
    for path, data in files().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    (root / ".gitignore").write_text("secret.py\n")
    (root / "secret.py").write_text("def reroute():\n    pass\n")
    (root / "stamp.bin").write_bytes(bytes(range(256)) * 8)
    (root / "far").mkdir()
    (root / "far" / "stars.py").write_text("def magnitude(flux):\n    return -2.5 * flux\n")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE"):
            patch.setenv(name, str(top / name.lower()))
        pipeline.refresh(root, paths.base_index(root), jobs=1, vectors=True, embedder="local")
        yield root


@pytest.fixture(scope="module")
def session(town: Path) -> Iterator[Session]:
    opened = Session(town, None, None, Settings())
    assert opened.open()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def engine(session: Session) -> Engine:
    assert session.engine is not None
    return session.engine


def fetched(engine: Engine, text: str, options: PlanOptions | None = None) -> Fetched:
    question = Question(text, options or PlanOptions(), limit=1000)
    return fetch(engine, question, engine.ask(question))


def plain(results: list[Result] | tuple[Result, ...]) -> list[tuple[object, ...]]:
    """All that makes a result, without the text that is cited around it."""
    return [
        (
            (r.position, r.chunk_id, r.score, r.boost, r.demotion, tuple(o.chunk_id for o in r.others)),
            tuple((p.modality, p.rank, p.raw_score, p.weight, p.contribution) for p in r.contributions),
        )
        for r in results
    ]


def changes(knobs: Knobs) -> Iterator[Knobs]:
    """Settings that a plan can have too."""
    yield knobs
    fused = replace(knobs, direct=False, on=MODALITIES)
    yield replace(fused, weights=dict(zip(MODALITIES, (0.3, 0.05, 0.4, 0.25), strict=True)))
    yield replace(fused, weights=dict(zip(MODALITIES, (0.0, 1.0, 0.0, 0.35), strict=True)), k=7)
    yield replace(fused, on=("text", "graph"), weights={**knobs.weights, "text": 0.3, "graph": 0.2})
    yield replace(fused, weights=dict.fromkeys(MODALITIES, 0.5), k=1000, depth=10)
    yield replace(fused, rule="plain", k=1)


# --------------------------------------------------------------------------- what if


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_what_if_is_a_fresh_answer_with_those_settings(engine: Engine, text: str) -> None:
    found = fetched(engine, text)
    for knobs in changes(found.published):
        question, lost = as_question(found, knobs)
        assert not lost
        assert plain(rank(found, knobs)) == plain(engine.ask(question).results)


def test_a_list_left_out_is_a_fresh_answer_without_it(engine: Engine) -> None:
    found = fetched(engine, FUSED, PlanOptions(preset="thorough"))
    for name in MODALITIES:
        knobs = leave_out(found.published, name)
        assert knobs is not None
        question, _ = as_question(found, knobs)
        answer = engine.ask(question)
        assert name not in answer.plan.runs
        assert plain(rank(found, knobs)) == plain(answer.results)


def test_a_person_s_own_demotions_count_in_the_lab(session: Session, engine: Engine) -> None:
    from fourfold.search.demotion import own_rules

    own = Engine(engine.reader, engine._source, demotions=own_rules({"parcels/delays.py": 0.1}))
    found = fetched(own, FUSED)
    assert plain(rank(found, found.published)) == plain(own.ask(found.question).results)
    assert positions(found, found.published)["parcels/delays.py"] > 1


def printed(capsys: pytest.CaptureFixture[str], command: str) -> dict[str, Any]:
    """What a command line prints as JSON."""
    from fourfold.cli.dispatch import run

    capsys.readouterr()
    assert run([*shlex.split(command)[1:], "--json", "--no-update"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_a_copied_command_makes_the_same_list(
    session: Session, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    found = fetched(engine, FUSED)
    knobs = replace(found.published, boost=0.0, demotion=1.0, rule="mnz", k=7)
    question, words = as_question(found, knobs)
    data = printed(capsys, session.command(question, words))
    assert [r["path"] for r in data["results"]] == [r.path for r in rank(found, knobs)[:10]]


@pytest.mark.parametrize("options", [PlanOptions(), PlanOptions(weights={"text": 1.0, "graph": 0.3}), PlanOptions(k=3)])
def test_a_copied_command_asks_the_same_whatever_the_settings_say(
    session: Session,
    engine: Engine,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: PlanOptions,
) -> None:
    answer = engine.ask(Question(FUSED, options))
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path))
    for written in ("", 'preset = "quick"\nlimit = 3\n', 'preset = "thorough"\nlimit = 40\n'):
        (tmp_path / "config.toml").write_text(written)
        data = printed(capsys, session.command(answer.question))
        assert [(r["path"], r["score"]) for r in data["results"]] == [(r.path, r.score) for r in answer.results]
        assert data["plan"]["preset"] == answer.plan.preset


# --------------------------------------------------------------------------- flip margins


@pytest.mark.parametrize("text", [QUESTIONS[0], QUESTIONS[5], "retry a mail"])
def test_a_flip_swaps_two_just_past_its_margin_and_not_just_before(engine: Engine, text: str) -> None:
    found = fetched(engine, text, PlanOptions(preset="thorough", strategy="fused"))
    knobs, seen = found.published, 0
    results = rank(found, knobs)[:9]
    for upper, lower in itertools.pairwise(results):
        for flip in flips(found, knobs, upper.path, lower.path):
            seen += 1

            def above(value: float, what: str = flip.what, a: str = upper.path, b: str = lower.path) -> bool:
                if what == "k":
                    changed = replace(knobs, k=int(value))
                else:
                    changed = replace(knobs, weights={**knobs.weights, what: value})  # type: ignore[dict-item]
                # by a fresh answer, not by the lab
                places = [r.path for r in engine.ask(as_question(found, changed)[0]).results]
                return b in places and (a not in places or places.index(b) < places.index(a))

            assert above(flip.new)
            way = 1 if flip.new > flip.old else -1
            before = flip.new - way if flip.what == "k" else flip.at - way * 1e-7
            if flip.what != "k" or before != flip.old:
                assert not above(before)
    assert seen > 5


# --------------------------------------------------------------------------- why not


def checked(engine: Engine, text: str, target: Target, options: PlanOptions | None = None, limit: int = 10):  # type: ignore[no-untyped-def]
    """Why not, its ranks compared with the full lists, and its remedy carried out."""
    question = Question(text, options or PlanOptions(), limit=limit)
    found = why_not(engine, question, target)
    wanted = wanted_of(engine, target)
    lists = engine.lists(question)
    for name in MODALITIES:
        places = [rank for rank, hit in enumerate(lists[name].hits) if hit.chunk_id in wanted]
        assert (found.ranks or {}).get(name) == (places[0] if places else None)
    if found.remedy is not None:
        assert engine.ask(found.remedy).results[0].chunk_id in wanted
        assert found.change
        assert found.reason is None
    else:
        assert found.reason
        assert found.gate == "merged" or "better chunk" not in found.reason
    return found


def wanted_of(engine: Engine, target: Target) -> set[int]:
    file = engine.reader.file(target.path)
    if file is None:
        return set()
    chunks = engine.reader.chunks_of_file(file.id)
    if target.symbol is not None:
        named = {s.chunk_id for s in engine.reader.outline(target.path) if target.symbol in (s.name, s.qualified)}
        return {chunk.id for chunk in chunks if chunk.id in named}
    return {c.id for c in chunks if target.line is None or c.start_line <= target.line <= c.end_line}


def test_every_file_s_place_and_remedy_hold(engine: Engine) -> None:
    for file in engine.reader.files():
        checked(engine, FUSED, Target(file.path), limit=5)


def test_the_gates(engine: Engine) -> None:
    gate = {
        "skipped": checked(engine, FUSED, Target("secret.py")),
        "binary": checked(engine, FUSED, Target("stamp.bin")),
        "not_found": checked(engine, FUSED, Target("parcels/nowhere.py")),
        "deep": checked(engine, FUSED, Target("parcels/labels.py", symbol="label"), PlanOptions(depth=5)),
        "off": checked(engine, "where is Depot defined", Target("parcels/vans.py")),
        "switched": checked(engine, FUSED, Target("docs/prices.md"), PlanOptions(only=("structural",))),
        "merged": checked(engine, FUSED, Target("parcels/delays.py", symbol="held_up")),
        "demoted": checked(engine, FUSED, Target("docs/delays.md"), limit=3),
        "below": checked(engine, FUSED, Target("parcels/claims.py"), limit=2),
        "present": checked(engine, FUSED, Target("parcels/delays.py")),
        "unlike": checked(engine, "who calls record", Target("far/stars.py")),
    }
    assert {name: found.gate for name, found in gate.items()} == {
        "skipped": "skipped",
        "binary": "skipped",
        "not_found": "not_found",
        "deep": "not_retrieved",
        "off": "off",
        "switched": "off",
        "merged": "merged",
        "demoted": "demoted",
        "below": "below_limit",
        "present": "none",
        "unlike": gate["unlike"].gate,
    }
    for name in ("skipped", "binary", "not_found"):
        assert gate[name].remedy is None
        assert str(gate[name].reason).startswith("none can, because")
    assert gate["present"].position == 1
    assert gate["demoted"].would_be is not None and gate["demoted"].would_be <= 3
    for name in ("deep", "off", "switched", "merged", "demoted", "below"):
        assert gate[name].remedy is not None, name


# --------------------------------------------------------------------------- the lesson


@pytest.fixture(scope="module")
def walk(engine: Engine) -> Lesson:
    return lesson(engine, lesson_question(FUSED, 16))


def test_the_lesson_is_what_the_engine_answers(engine: Engine, walk: Lesson) -> None:
    question = lesson_question(FUSED, 16)
    answer = engine.ask(question)
    assert set(answer.plan.runs) == set(MODALITIES)
    for name, entries in walk.lists.items():
        hits = answer.lists[name].hits
        assert [entry.raw_score for entry in entries] == [hit.raw_score for hit in hits[: len(entries)]]
    by_key = {step.key: step for step in walk.steps}
    assert plain(by_key["final"].results) == plain(answer.results)
    assert plain(by_key["demotion"].results) == plain(answer.results)
    for k in KS:
        asked = replace(question, options=replace(question.options, k=k))
        bare = rank(fetched(engine, FUSED, asked.options), Knobs(MODALITIES, answer.plan.weights, k, 16, 0.0, 1.5, 1.0))
        assert [r.path for r in by_key[f"k{k}"].results] == [r.path for r in bare[:10]]
    for step in walk.steps:
        assert 0 <= step.ask.right < len(step.ask.choices) <= 5
        assert len(set(step.ask.choices)) == len(step.ask.choices)


def test_the_k_steps_do_not_all_say_the_same(walk: Lesson) -> None:
    firsts = {step.results[0].chunk_id for step in walk.steps if step.key.startswith("k")}
    assert len(firsts) > 1


def test_every_exercise_can_be_solved_and_is_not_solved_at_the_start(engine: Engine, walk: Lesson) -> None:
    assert len(walk.exercises) >= 2
    for each in walk.exercises:
        weights = {**each.start, each.modality: each.weight}
        assert solved(walk.fetched, each.start, weights, each.target.path)
        assert not solved(walk.fetched, each.start, each.start, each.target.path)
        options = PlanOptions(preset="thorough", weights={m: w for m, w in weights.items() if w > 0}, depth=16)
        assert engine.ask(Question(FUSED, options)).results[0].path == each.target.path


@pytest.mark.parametrize("text", QUESTIONS[1:-1])
def test_a_lesson_on_any_question(engine: Engine, text: str) -> None:
    made = lesson(engine, lesson_question(text))
    assert made.steps[-1].results == made.answer.results[:10]


def test_ceilings_of_an_answer_hold_in_it(engine: Engine) -> None:
    for text in QUESTIONS:
        found = fetched(engine, text, PlanOptions(strategy="fused"))
        results = rank(found, found.published)
        for result in results:
            best = own_ceiling(results, result, found.published.k)
            assert best is None or best <= result.position


# --------------------------------------------------------------------------- snapshots


def test_a_snapshot_holds_the_whole_answer(session: Session, engine: Engine) -> None:
    for text in QUESTIONS:
        question = Question(text)
        kept = session.snapshot(question)
        opened = snapshot.read(snapshot.write(kept))
        assert opened == kept
        assert snapshot.shown(opened.answer).results == engine.ask(question).results
        for result in opened.answer.results:
            lines = (Path(session.root) / result.path).read_text().split("\n")
            assert opened.lines[result.chunk_id] == "\n".join(lines[result.start_line - 1 : result.end_line])


def test_what_is_written_about_answers_is_not_indexed(session: Session, engine: Engine, tmp_path: Path) -> None:
    answer = engine.ask(Question(FUSED))
    kept = snapshot.write(session.snapshot(Question(FUSED)))
    texts = {
        "fourfold-a.snapshot.json": kept,
        "fourfold-a.snapshot-2.json": kept,
        "kept.snapshot.json": kept,
        "fourfold-a.json": export.as_json(answer),
        "fourfold-a.md": export.as_markdown(answer),
        "fourfold-a.svg": as_svg(answer),
    }
    theirs = {"fourfold-guide.md": "# Folding\n", "snapshot.json": "{}", "fourfold-a.py": kept, "fourfold-b.json": "[]"}
    for name, text in (texts | theirs).items():
        (tmp_path / name).write_text(text, "utf-8")
    items = list(walk_root(tmp_path, Settings()))
    assert {item.path for item in items if isinstance(item, Found)} == set(theirs)
    reasons = {item.path: item.reason for item in items if isinstance(item, LedgerEntry)}
    assert reasons == {name: "fourfold's own " + ("snapshot" if "snapshot" in name else "export") for name in texts}


def test_a_snapshot_s_lists_fuse_to_its_own_list(session: Session) -> None:
    kept = snapshot.read(snapshot.write(session.snapshot(Question(FUSED))))
    demotions = {r.chunk_id: Demotion(r.demotion, r.demotion_reason) for r in kept.answer.results}
    again = fuse(kept.answer.plan, kept.answer.lists, kept.chunks, demotions)
    assert plain(again[:10])[0] == plain(kept.answer.results[:10])[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not JSON"),
        ("[1]", "no snapshot of fourfold"),
        ('{"fourfold": "snapshot", "schema": 9}', "another version"),
        ('{"fourfold": "snapshot", "schema": 1, "answer": {"question": 3}, "chunks": [], "lines": {}}', "damaged"),
        ('{"fourfold": "snapshot", "schema": 1, "chunks": [], "lines": {}}', "damaged"),
    ],
)
def test_what_is_no_snapshot_is_told_in_one_line(text: str, told: str) -> None:
    with pytest.raises(snapshot.SnapshotError, match=told) as error:
        snapshot.read(text)
    assert "\n" not in str(error.value)


def test_the_difference_names_the_factor_that_moved_it(engine: Engine) -> None:
    base = Question(FUSED, PlanOptions(preset="thorough"), limit=200)
    old = engine.ask(base)
    by_k = snapshot.diff(old, engine.ask(replace(base, options=replace(base.options, k=1))))
    assert [f.what for f in by_k.about] == ["k"]
    assert {f.what for moved in by_k.moved for f in moved.factors} <= {"k"} | {f"rank in {m}" for m in MODALITIES} | {
        "boost"  # another chunk of the file may speak for it
    }
    weights = {**old.plan.weights, "structural": 0.9}
    new = engine.ask(replace(base, options=replace(base.options, weights=weights)))
    by_weight = snapshot.diff(old, new)
    assert [f.what for f in by_weight.about] == ["weight of structural"]
    up = next(moved for moved in by_weight.moved if moved.path == "parcels/routes.py")
    assert (up.before, up.after) == (2, 1)
    assert [factor.what for factor in up.factors] == ["weight of structural"]
    before, after = (next(r for r in a.results if r.path == up.path) for a in (old, new))
    assert up.factors[0].effect == pytest.approx(after.score - before.score, abs=1e-12)


def test_the_difference_names_rank_and_index_when_the_code_changed(
    town: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fourfold import paths
    from fourfold.indexing import pipeline

    for name in ("FOURFOLD_CACHE", "FOURFOLD_CONFIG", "FOURFOLD_STATE"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    root = tmp_path / "parcels"
    shutil.copytree(town, root)
    question = Question("surcharge rebate", PlanOptions(only=("text",)), limit=200)
    answers = []
    for extra in ("", "\n# surcharge rebate: what a business gets back\n"):
        (root / "parcels" / "claims.py").write_text((town / "parcels" / "claims.py").read_text() + extra)
        pipeline.refresh(root, paths.base_index(root), jobs=1, vectors=False, embedder="none")
        opened = Session(root, None, None, Settings())
        assert opened.open()
        answers.append(opened.ask(question))
        opened.close()
    found = snapshot.diff(*answers)
    assert "index generation" in {factor.what for factor in found.about}
    moved = next(each for each in found.moved if each.path == "parcels/claims.py")
    assert moved.after is not None
    assert moved.before is None or any(factor.what == "rank in text" for factor in moved.factors)


def test_a_snapshot_explains_the_same_without_its_codebase(
    town: Path, tmp_path: Path, fourfold: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    from fourfold.cli.dispatch import run

    def lines(text: str) -> list[str]:
        return [re.sub(r"in [\d.]+ ms", "", line) for line in text.split("\n")]

    file = tmp_path / "then.json"
    capsys.readouterr()
    assert run(["explain", FUSED, "--root", str(town), "--no-update", "--save", str(file)]) == 0
    before = capsys.readouterr().out
    far = fourfold("explain", "--open", file, cwd=tmp_path)  # another home, another folder, no index
    assert far.returncode == 0, far.stderr
    assert lines(far.stdout) == lines(before)


def test_the_lesson_on_the_command_line(fourfold: Callable[..., Any]) -> None:
    """From nothing: no index, no settings, no question."""
    data = fourfold("lesson", "--json")
    assert data.returncode == 0, data.stderr
    told = json.loads(data.stdout)
    assert told["steps"][0]["key"] == "lists"
    assert len(told["exercises"]) >= 2
    text = fourfold("lesson")
    assert "Exercise 1" in text.stdout
    assert "Solutions" in text.stdout
    again = fourfold(*shlex.split(told["command"])[1:], "--json")
    answer = json.loads(again.stdout)
    final = told["steps"][-1]["results"]
    assert [(r["path"], r["score"]) for r in final] == [(r["path"], r["score"]) for r in answer["results"]]
