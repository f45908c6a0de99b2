"""The five tools a model has. What they return is text; what goes wrong is told, never raised."""

import asyncio
import io
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

import pandas as pd
from pydantic_ai import RunContext, Tool
from pydantic_ai.exceptions import ModelRetry

from purple_agent.llm.errors import OutsideError
from purple_agent.llm.history import clean
from purple_agent.llm.prompt import standing
from purple_agent.llm.settings import AgentSettings
from purple_agent.llm.workbench import Workbench
from purple_agent.sandbox.limits import MB

LARGEST = 64 * MB  # bytes of a file that are looked at
WIDEST = 5000  # columns that are described: pandas takes hours for very many
FILES = 200
Context = RunContext[Workbench]


async def list_files(context: Context, folder: str = ".") -> str:
    """List files with their sizes in bytes.

    Args:
        folder: "." for the working folder, "data" for the input files, or a folder in them.
    """
    lines = await asyncio.to_thread(context.deps.folders.listing, folder, FILES)
    return "\n".join(lines) or "(no files)"


async def read_file(context: Context, path: str, start: int = 0) -> str:
    """Read a part of a text file, 6,000 characters at most.

    Args:
        path: The file, as data/description.md.
        start: How many characters to skip.
    """
    data, size = await asyncio.to_thread(context.deps.folders.read, path, LARGEST)
    text = data.decode("utf-8", "replace")[max(0, start) :]
    rest = f"\n[... {len(text) - 6000:,} characters more]" if len(text) > 6000 else ""
    if size > len(data):
        rest += f"\n[of {size:,} bytes, {len(data):,} were looked at]"
    return (text[:6000] or "(nothing there)") + rest


async def inspect_csv(context: Context, path: str) -> str:
    """Describe a csv or tsv file: its columns with type, missing and distinct values, and rows.

    Args:
        path: The file, as data/train.csv.
    """
    data, size = await asyncio.to_thread(context.deps.folders.read, path, LARGEST)
    if len(data) < size:
        data = data[: data.rfind(b"\n") + 1]
    separator = "\t" if path.endswith(".tsv") else ","
    if (n_columns := data.partition(b"\n")[0].count(separator.encode()) + 1) > WIDEST:
        return f"{path} has {n_columns:,} columns, too many to describe. Use run_python."
    try:
        return await asyncio.to_thread(_describe, data, separator)
    except (ValueError, pd.errors.ParserError) as error:
        return f"{path} cannot be read as a table: {error}. Look at it with read_file."


def _describe(data: bytes, separator: str) -> str:
    table = pd.read_csv(io.BytesIO(data), sep=separator, low_memory=False)
    lines = [f"{len(table):,} rows, {table.shape[1]:,} columns; column: type, missing, distinct"]
    for name in table.columns[:200]:
        column = table[name]
        examples = ", ".join(str(value)[:30] for value in column.dropna().unique()[:3])
        missing, distinct = int(column.isna().sum()), int(column.nunique())
        lines.append(f"{name}: {column.dtype}, {missing:,}, {distinct:,}; as {examples}")
    return "\n".join([*lines, table.head(3).to_csv(index=False)])[:8000]


async def run_python(context: Context, code: str) -> str:
    """Run a cell of Python in the kernel and return what it prints.

    Args:
        code: The cell; its last expression is printed.
    """
    return await context.deps.run(code)


async def check_submission(context: Context) -> str:
    """Check submission.csv, and held_back_predictions.csv if it is asked for."""
    return (await context.deps.check()).text


def tools(settings: AgentSettings) -> list[Tool[Workbench]]:
    """Return the tools; each runs alone, in the order in which the model asks for them."""
    functions = (list_files, read_file, inspect_csv, run_python, check_submission)
    return [
        Tool(
            _told(function, settings),
            takes_ctx=True,
            sequential=True,
            max_retries=settings.iterations,
            docstring_format="google",
            require_parameter_descriptions=False,
        )
        for function in functions
    ]


def _told(
    function: Callable[..., Awaitable[str]], settings: AgentSettings
) -> Callable[..., Awaitable[str]]:
    """Keep each call, add what is left, and tell the model of a path that leads astray."""

    @wraps(function)
    async def tool(context: Context, *args: Any, **named: Any) -> str:
        bench, keep = context.deps, context.deps.evidence.event
        try:
            text = clean(await function(context, *args, **named))
        except OutsideError as error:
            keep("tool", name=function.__name__, arguments=named, refused=str(error))
            raise ModelRetry(str(error)) from error
        keep("tool", name=function.__name__, arguments=named, result=text)
        left = standing(
            context.usage.requests, bench.seconds_left, settings, fit=bench.judge.best is not None
        )
        return f"{text}\n{left}"

    return tool
