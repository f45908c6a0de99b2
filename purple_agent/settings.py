"""What can be set of the service: each by ``SOLVERS_AGENT_<NAME>``, the common ones by a flag."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ByteSize,
    Field,
    TypeAdapter,
    ValidationError,
    WrapValidator,
    field_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

# What pydantic says of a wrong value, in words for whoever has set it.
_EXPECTED = {
    "bool": "true or false",
    "finite": "a finite number",
    "float": "a number",
    "greater_than_equal": "{ge} or more",
    "greater_than": "more than {gt:g}",
    "int": "a whole number",
    "less_than_equal": "{le} or less",
    "literal": "{expected}",
    "string_too_short": "a text that is not empty",
}


def _size(value: Any, read: Callable[[Any], ByteSize]) -> ByteSize:
    try:
        size = read(value)
    except (ValueError, OverflowError):
        size = ByteSize(0)
    if not 0 < size < 2**63:
        msg = "expected a size of more than 0 bytes, as 2GiB"
        raise ValueError(msg)
    return size


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        fine = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        fine = fine and not (parts.username or parts.password or " " in text)
    except ValueError:  # a port that is no number
        fine = False
    if text and not fine:
        msg = "expected an address that others can call, as https://host:8080/"
        raise ValueError(msg)
    return text


def _path(value: Any) -> Any:
    if not str(value):  # it would be the working directory
        msg = "expected the name of a folder"
        raise ValueError(msg)
    return value


Size = Annotated[ByteSize, WrapValidator(_size)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


def _bytes(text: str) -> ByteSize:
    return TypeAdapter(ByteSize).validate_python(text)


def complaint(error: ValidationError) -> tuple[str, str]:
    """Name the first setting that is wrong, and say what was expected and found."""
    first = error.errors()[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    if first["type"] == "value_error":  # one of those above
        expected = str(first["ctx"]["error"])
    else:
        kind = first["type"]
        known = _EXPECTED.get(kind) or _EXPECTED.get(kind.partition("_")[0], "another value")
        expected = f"expected {known.format(**first.get('ctx', {}))}"
    return name, f"{expected}; found {str(first['input'])[:60]!r}"


class Settings(BaseSettings):
    """The settings of the service; sizes may be written as ``2GiB``.

    Attributes
    ----------
    host, port : str, int
        Where to listen. Only this machine is answered unless another host is named.
    card_url : str
        The address that the card names; by default that of host and port.
    home : Path
        Folder of tasks, runs and the task store. It outlives the service.
    store : str
        SQLAlchemy URL of the task store, by default a SQLite file in `home`.
    seed, profile, jobs, report
        As for `solvers.solve`. By default the usable CPUs are shared by the tasks that run.
    concurrent, waiting : int
        How many tasks are worked on at once, and how many more may wait.
    max_body, max_text : int
        Bytes of a request, and bytes of it without the files.
    max_incoming : int
        Bytes of all files together that are arriving, by a request or a fetch, and belong to no
        task yet.
    max_parts, max_members, max_unpacked : int
        Parts of a message; members of an archive, and bytes they unpack to.
    hosts : tuple of str
        Hosts from which a file that is sent as an https address is fetched; none by default.
    download_seconds : float
        How long one fetch may take as a whole.
    heartbeat : float
        Seconds between two signs of life while a task is worked on or waits.
    longest : float
        Seconds of work that a task may take, over all its sittings; then it ends with what has been
        sent by then.
    ask_for_check : bool
        Whether to ask the other side to check the submission's form, and wait for its verdict
        for `check_seconds`. Off by default: not every client knows how to answer.
    kills : int
        How often the service may be killed while it works on a task: the work may be what ends the
        whole container. The last of its sittings makes a baseline only.
    keep_days : float
        How long the data of a task that did not finish are kept, for it to go on.
    sittings : int
        How often a task is worked on by processes that end without a word, killed for want of
        memory perhaps; the last of them makes a baseline only. A restart of the service is none.
    baseline, agent : str
        Where the functions are that answer what no solver knows, as ``module:name``.
    """

    model_config = SettingsConfigDict(
        env_prefix="SOLVERS_AGENT_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    host: str = Field("127.0.0.1", min_length=1)
    port: int = Field(8080, ge=1, le=65535)
    card_url: Annotated[str, AfterValidator(_address)] = ""
    home: Annotated[Path, BeforeValidator(_path)] = Path("agent-home")
    store: str = ""

    seed: int = Field(0, ge=0)
    profile: Literal["full", "quick"] = "full"
    jobs: int | None = Field(None, ge=1)
    report: bool = True

    concurrent: int = Field(2, ge=1)
    waiting: int = Field(20, ge=0)
    max_body: Size = _bytes("1.5GiB")
    max_text: Size = _bytes("4MiB")
    max_incoming: Size = _bytes("4GiB")
    max_parts: int = Field(16, ge=1)
    max_members: int = Field(100_000, ge=1, le=100_000)
    max_unpacked: Size = _bytes("8GiB")
    hosts: Annotated[tuple[str, ...], NoDecode] = ()
    download_seconds: Seconds = 120

    heartbeat: Seconds = 10
    longest: Seconds = 4 * 3600
    ask_for_check: bool = False
    check_seconds: Seconds = 60
    keep_days: float = Field(14, ge=0, allow_inf_nan=False)
    sittings: int = Field(3, ge=1)
    kills: int = Field(5, ge=1)

    baseline: str = "purple_agent.work.baseline:baseline"
    agent: str = "purple_agent.work.agent:answer"

    @field_validator("hosts", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """Take several hosts from one variable, with commas between them."""
        if isinstance(value, str):
            return tuple(host.strip().lower() for host in value.split(",") if host.strip())
        return value

    @property
    def tasks(self) -> Path:
        """Folder with one subfolder a task."""
        return self.home.absolute() / "tasks"

    @property
    def incoming(self) -> Path:
        """Folder of files that have arrived and belong to no task yet."""
        return self.home.absolute() / "incoming"

    @property
    def database(self) -> str:
        """The SQLAlchemy URL of the task store."""
        return self.store or f"sqlite+aiosqlite:///{self.home.absolute() / 'tasks.db'}"

    @property
    def address(self) -> str:
        """The address that the card names."""
        # Who listens everywhere is reached here; 0.0.0.0 is no address that one can call.
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return self.card_url or f"http://{host}:{self.port}/"
