"""Services to talk to, and datasets to send to them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from signatures import REGISTRY
from tests.purple_agent.service import STAND_INS, Service

Serve = Callable[..., Service]


def _serving(folder: Path) -> Iterator[Serve]:
    started: list[Service] = []

    def serve(**settings: object) -> Service:
        given = {
            "profile": "quick", "baseline": f"{STAND_INS}:baseline",
            "agent": f"{STAND_INS}:no_agent", "report": False, **settings,
        }  # fmt: skip
        started.append(Service(folder / f"home{len(started)}", **given))
        return started[-1]

    yield serve
    for service in started:
        if service.process.poll() is None:
            service.end()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start services of a test's own, with settings of its own."""
    yield from _serving(tmp_path)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service that tests share, with small limits."""
    serving = _serving(tmp_path_factory.mktemp("service"))
    serve = next(serving)
    yield serve(max_body="2MB", max_text="100kB", max_members=50, max_unpacked="5MB", max_parts=4)
    next(serving, None)


@pytest.fixture(scope="session")
def passengers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of a known task, synthetic."""
    folder = tmp_path_factory.mktemp("passengers")
    tables = REGISTRY["spaceship-titanic"].load_solver().example(300, 60, 0)
    for name, table in zip(("train", "test", "sample_submission"), tables, strict=True):
        table.to_csv(folder / f"{name}.csv", index=False)
    (folder / "description.md").write_text("Which passengers were transported?\n")
    return folder


@pytest.fixture(scope="session")
def flowers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of a task that nobody knows."""
    folder = tmp_path_factory.mktemp("flowers")
    (folder / "train.csv").write_text("flower,petals,smell\n1,5,0\n2,6,1\n3,5,0\n4,7,1\n")
    (folder / "test.csv").write_text("flower,petals\n5,5\n6,6\n")
    (folder / "sample_submission.csv").write_text("flower,smell\n5,0\n6,0\n")
    return folder


@pytest.fixture(scope="module")
def module_serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Start services that the tests of a module share."""
    yield from _serving(tmp_path_factory.mktemp("services"))
