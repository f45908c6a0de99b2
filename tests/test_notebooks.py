"""The notebooks: paired with a script that can be reviewed, and run from top to bottom."""

from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = sorted((ROOT / "notebooks").glob("*.py"))
ON_REAL_DATA = {"spaceship_titanic"}

Notebook = Any


@pytest.fixture(params=SCRIPTS, ids=lambda script: script.stem)
def script(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def cells(notebook: Notebook) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in notebook.cells]


def executed(script: Path, folder: Path) -> Notebook:
    """Run a notebook in another folder than its own; an error in a cell is raised."""
    notebook = nbformat.read(script.with_suffix(".ipynb"), as_version=4)
    where = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=900, kernel_name="python3", resources=where).execute()
    return notebook


def outputs(notebook: Notebook) -> list[Any]:
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def text_of(notebook: Notebook) -> str:
    texts = [output.get("text") or output.get("data", {}) for output in outputs(notebook)]
    return "\n".join(map(str, texts))


def test_there_are_three() -> None:
    assert [script.stem for script in SCRIPTS] == [
        "add_a_known_task",
        "reproducible_baselines",
        "spaceship_titanic",
    ]


def test_a_notebook_is_what_its_script_says(script: Path) -> None:
    notebook = nbformat.read(script.with_suffix(".ipynb"), as_version=4)
    assert cells(notebook) == cells(jupytext.read(script)), "run: make notebooks"


def test_a_notebook_is_committed_without_outputs(script: Path) -> None:
    notebook = nbformat.read(script.with_suffix(".ipynb"), as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not outputs(notebook)
    assert all(cell.execution_count is None for cell in code)


def test_figures_have_labelled_axes(script: Path) -> None:
    plots = [cell.source for cell in jupytext.read(script).cells if "plt.subplots(" in cell.source]
    assert plots
    assert all("xlabel=" in source or "correlation" in source.lower() for source in plots)


def test_a_notebook_runs_on_synthetic_data(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KNOWN_TASKS_DATA", raising=False)
    monkeypatch.setenv("SOLVERS_PROFILE", "quick")
    notebook = executed(script, tmp_path)
    assert "synthetic" in text_of(notebook)
    said = [output.text for output in outputs(notebook) if output.get("name") == "stderr"]
    assert not said, said


@pytest.mark.data
@pytest.mark.parametrize("name", sorted(ON_REAL_DATA))
def test_a_notebook_runs_on_real_data(
    name: str, known_tasks_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOLVERS_PROFILE", "quick")
    monkeypatch.setenv("KNOWN_TASKS_DATA", str(known_tasks_data.absolute()))
    notebook = executed(ROOT / "notebooks" / f"{name}.py", tmp_path)
    assert "synthetic passengers" not in text_of(notebook)
    assert "same bytes" in text_of(notebook)
