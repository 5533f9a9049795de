"""Two plans judged blind on the screen, and what their grades are worth there and in ``fourfold evaluate``."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from driving import driven
from still import StillSession

from fourfold.cli.dispatch import run
from fourfold.lab.pool import pooled
from fourfold.tui.screens.compare import CompareScreen
from fourfold.tui.screens.pick import Pick
from fourfold.tui.screens.pool import PoolScreen

QUESTION = "how does a vessel get a berth"


async def test_two_plans_are_judged_blind_and_measured_by_the_grades(
    harbour: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with driven(harbour, (120, 40), session=StillSession) as user:
        main = user.app.screen_main
        file = main.session.judgements
        file.unlink(missing_ok=True)
        main.set_text(QUESTION)
        main.ask()
        await user.until(lambda: main.answer is not None and main.answer.question.text == QUESTION)
        await user.settle()
        main.focus_pane("results")
        await user.press("c")
        await user.until(lambda: isinstance(user.app.screen, Pick))
        await user.write("text alone")
        await user.press("enter")
        await user.until(lambda: isinstance(user.app.screen, CompareScreen))
        compared = user.app.screen
        assert isinstance(compared, CompareScreen)
        await user.press("J")
        await user.until(lambda: isinstance(user.app.screen, PoolScreen))
        screen = user.app.screen
        assert isinstance(screen, PoolScreen)
        await user.until("to grade")
        pool = pooled(QUESTION, compared.first.results, compared.second.results)
        assert len(pool) > 10  # the lists differ
        for _ in pool[1:]:
            assert "text alone" not in user.text()
            assert not re.search(r"#\d", user.text())
            await user.press("2")
            await user.handled()
        await user.press("3")
        await user.until("all graded")
        assert "text alone" in user.text()
        await user.press("escape")
        await user.until(lambda: user.app.screen is compared)
        await user.until("NDCG@10 by your grades")
        told = re.search(r"by your grades: ([\d.]+) \| ([\d.]+)", user.text())
        assert told is not None
    for figure, plan in zip(told.groups(), ("", "only=text"), strict=True):
        words = ["evaluate", str(file), "--root", str(harbour), "--no-update", "--json", "--quiet", "--candidate", plan]
        capsys.readouterr()
        assert run(words) == 0, shlex.join(words)
        row = json.loads(capsys.readouterr().out)["questions"][0]
        assert f"{row['figures']['ndcg10']:.3f}" == figure


async def test_another_index_and_the_worst_losses_of_an_experiment_are_opened_in_compare(
    harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from fourfold.indexing import pipeline

    monkeypatch.chdir(tmp_path)
    pipeline.refresh(harbour, tmp_path / "lexical.db", jobs=1, vectors=False, embedder="none")
    judged = tmp_path / "judged.jsonl"
    judged.write_text(json.dumps({"query": QUESTION, "path": "harbour/schedule.py"}) + "\n", "utf-8")
    plans = ["--baseline", "preset=thorough", "--candidate", "only=structural k=3"]
    capsys.readouterr()
    words = ["evaluate", str(judged), "--root", str(harbour), "--no-update", "--json", "--quiet"]
    assert run([*words, *plans]) == 0
    report = capsys.readouterr().out
    loss = json.loads(report)["comparison"]["worst"]
    assert loss
    (tmp_path / "report.json").write_text(report, "utf-8")
    (tmp_path / "other.json").write_text('{"schema": 1, "root": "harbour"}', "utf-8")
    async with driven(harbour, (120, 40), session=StillSession) as user:
        main = user.app.screen_main
        main.set_text(QUESTION)
        main.ask()
        await user.until(lambda: main.answer is not None and main.answer.question.text == QUESTION)
        await user.settle()
        main.focus_pane("results")
        await user.press("c")
        await user.until(lambda: isinstance(user.app.screen, Pick))
        await user.write("lexical.db")
        await user.press("enter")
        await user.until(lambda: isinstance(user.app.screen, CompareScreen))
        compared = user.app.screen
        assert isinstance(compared, CompareScreen)
        assert "semantic" in compared.first.plan.runs
        assert compared.second.lists["semantic"].status == "not_built"
        await user.press("escape")
        await user.until(lambda: user.app.screen is main)
        await user.press(":")
        await user.until(lambda: isinstance(user.app.screen, Pick))
        await user.write("worst losses")
        await user.press("enter")
        await user.until("report.json")
        await user.press("enter")
        await user.until(lambda: isinstance(user.app.screen, CompareScreen))
        compared = user.app.screen
        assert isinstance(compared, CompareScreen)
        assert compared.first.question.text == loss[0]["query"]
        assert compared.first.plan.preset == "thorough"
        assert (compared.second.plan.runs, compared.second.plan.k) == (("structural",), 3)
        await user.until("candidate: only=structural k=3")
