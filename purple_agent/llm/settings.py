"""What the environment says of the model and of its bounds."""

from typing import Annotated

from pydantic import Field, PositiveInt, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from purple_agent.sandbox import Limits
from purple_agent.sandbox.walls import Otherwise
from purple_agent.settings import Seconds, complaint

_Text = Annotated[str, Field(min_length=1)]


class AgentSettings(BaseSettings):
    """Settings of the agent; each is an environment variable of the same name.

    The model's are ``MODEL_NAME``, ``OPENAI_BASE_URL``, ``OPENAI_API_KEY`` and
    ``OPENROUTER_API_KEY``; all others start with ``SOLVERS_AGENT_``. An empty variable counts as
    one that is not set.
    """

    model_config = SettingsConfigDict(
        env_prefix="SOLVERS_AGENT_",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    model_name: _Text | None = Field(default=None, validation_alias="MODEL_NAME")
    openai_base_url: _Text | None = Field(default=None, validation_alias="OPENAI_BASE_URL")
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    openrouter_api_key: SecretStr | None = Field(
        default=None, validation_alias="OPENROUTER_API_KEY"
    )

    iterations: PositiveInt = 30  # requests to the model
    nudges: PositiveInt = 5  # times that an end without a submission is sent back
    seconds: Seconds = 3600.0  # for the whole
    request_seconds: Seconds = 300.0  # for one attempt at a request
    retries: Annotated[int, Field(ge=0, le=20)] = 5  # of a request that failed
    reply_tokens: PositiveInt = 16_384  # of one reply
    total_tokens: PositiveInt = 3_000_000  # of all requests and replies
    history_characters: PositiveInt = 120_000  # sent with one request

    # What to do where bubblewrap cannot be used: nothing, or run code with limits only.
    without_bubblewrap: Otherwise = "refuse"
    cell_seconds: Seconds = 600.0
    grace_seconds: Seconds = 5.0
    memory_mb: PositiveInt = 8192
    processes: PositiveInt = 64
    threads: PositiveInt = 2
    file_mb: PositiveInt = 1024
    disk_mb: PositiveInt = 4096
    output_mb: PositiveInt = 10  # of one cell, on disk
    evidence_mb: PositiveInt = 256  # of requests, replies and outputs, on disk
    shown: PositiveInt = 8000  # characters of an output that the model sees

    @property
    def limits(self) -> Limits:
        """The bounds of the sandbox."""
        return Limits(
            cell_seconds=self.cell_seconds,
            grace_seconds=self.grace_seconds,
            memory_mb=self.memory_mb,
            processes=self.processes,
            threads=self.threads,
            file_mb=self.file_mb,
            disk_mb=self.disk_mb,
            output_mb=self.output_mb,
            shown=self.shown,
        )


def unusable(error: ValidationError) -> str:
    """Say which variable of the agent is wrong."""
    name, problem = complaint(error)
    upper = name.upper()  # those of the model are named as they are set
    variable = upper if name == upper else f"SOLVERS_AGENT_{upper}"
    return f"The variable {variable} cannot be used: {problem}."
