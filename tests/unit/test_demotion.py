"""Which paths stand lower, why, and when they do not."""

from __future__ import annotations

import pytest

from fourfold.model import Intent
from fourfold.search.demotion import demoter, is_test_file, older_versions, own_rules
from fourfold.search.fuse import NO_DEMOTION, Demotion

UNDERSTAND = Intent("understand_code", 0.75, "11")
EXACT = Intent("exact_match", 0.9, "10")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("vendor/x/y.go", "vendored code"),
        ("web/node_modules/a/index.js", "vendored code"),
        ("dist/app.js", "build output"),
        ("api/service.pb.go", "generated code"),
        ("pkg/legacy/old_api.py", "archived code"),
        ("tests/test_app.py", "test"),
        ("pkg/app_test.go", "test"),
        ("src/app.spec.ts", "test"),
        ("src/test/java/AppTest.java", "test"),
        ("examples/demo.py", "example"),
        ("README.md", "prose"),
        ("docs/guide.rst", "prose"),
    ],
)
def test_what_is_not_the_code_itself_stands_lower_with_its_reason(path: str, reason: str) -> None:
    assert demoter("how does it work", UNDERSTAND)(path) == Demotion(0.5, reason)


@pytest.mark.parametrize(
    "path", ["src/app.py", "pkg/testing.py", "lib/contest.py", "scripts/run.sh", "src/external/x.c"]
)
def test_code_is_not_demoted(path: str) -> None:
    assert demoter("how does it work", UNDERSTAND)(path) == NO_DEMOTION


def test_what_is_asked_for_is_not_demoted() -> None:
    assert demoter("tests for the parser", UNDERSTAND)("tests/test_app.py") == NO_DEMOTION
    assert demoter("example of a plugin", UNDERSTAND)("examples/demo.py") == NO_DEMOTION
    assert demoter("“connection refused”", EXACT)("README.md") == NO_DEMOTION


def test_an_older_version_beside_a_newer_stands_lower_unless_it_is_named() -> None:
    older = older_versions(["api/v1/a.py", "api/v2/a.py", "other/v1/b.py", "api/v10/c.py"])
    assert older == {"api/v1/", "api/v2/"}
    assert demoter("how does it work", UNDERSTAND, older)("api/v1/a.py") == Demotion(0.5, "older version")
    assert demoter("how does v1 work", UNDERSTAND, older)("api/v1/a.py") == NO_DEMOTION
    assert demoter("how does it work", UNDERSTAND, older)("api/v10/c.py") == NO_DEMOTION


def test_a_persons_own_factors_come_first() -> None:
    rules = own_rules({"migrations/": 0.25, "tests/important.py": 1.0})
    demote = demoter("how does it work", UNDERSTAND, rules=rules)
    assert demote("app/migrations/0001.py") == Demotion(0.25, "your settings")
    assert demote("tests/important.py").factor == 1.0
    assert demote("tests/other.py").factor == 0.5


def test_a_test_is_what_the_conventions_call_one() -> None:
    assert is_test_file("pkg/app_test.go") and is_test_file("test/x.rb")
    assert not is_test_file("examples/demo.py") and not is_test_file("src/latest.py")
