"""What can be set of the service: each by ``SOLVERS_AGENT_<NAME>``, the common ones by a flag."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import ByteSize, Field, TypeAdapter, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

_SIZE = TypeAdapter(ByteSize)


def _bytes(text: str) -> ByteSize:
    return _SIZE.validate_python(text)


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
    keep_days : float
        How long the data of a task that did not finish are kept, for it to go on.
    sittings : int
        How often a task is worked on by processes that end without a word, killed for want of
        memory perhaps; the last of them makes a baseline only. A restart of the service is none.
    baseline, agent : str
        Where the functions are that answer what no solver knows, as ``module:name``.
    """

    model_config = SettingsConfigDict(env_prefix="SOLVERS_AGENT_", extra="ignore", frozen=True)

    host: str = "127.0.0.1"
    port: int = Field(8080, ge=1, le=65535)
    card_url: str = ""
    home: Path = Path("agent-home")
    store: str = ""

    seed: int = Field(0, ge=0)
    profile: Literal["full", "quick"] = "full"
    jobs: int | None = Field(None, ge=1)
    report: bool = True

    concurrent: int = Field(2, ge=1)
    waiting: int = Field(20, ge=0)
    max_body: ByteSize = _bytes("1.5GiB")
    max_text: ByteSize = _bytes("4MiB")
    max_incoming: ByteSize = _bytes("4GiB")
    max_parts: int = Field(16, ge=1)
    max_members: int = Field(100_000, ge=1, le=100_000)
    max_unpacked: ByteSize = _bytes("8GiB")
    hosts: Annotated[tuple[str, ...], NoDecode] = ()
    download_seconds: float = Field(120, gt=0)

    heartbeat: float = Field(10, gt=0)
    longest: float = Field(4 * 3600, gt=0)
    ask_for_check: bool = False
    check_seconds: float = Field(60, gt=0)
    keep_days: float = Field(14, ge=0)
    sittings: int = Field(3, ge=1)

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
