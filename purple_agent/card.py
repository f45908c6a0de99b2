"""The agent's card: what it does and how to talk to it, in both versions of the protocol."""

from importlib import metadata

from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill

from purple_agent.settings import Settings


def card(settings: Settings) -> AgentCard:
    """Describe the agent.

    Both interfaces are listed at one address: the SDK tells the two apart by the request, and
    clients of version 0.3 read their address from what it adds to the card for them.
    """
    interfaces = [
        AgentInterface(url=settings.address, protocol_binding="JSONRPC", protocol_version=version)
        for version in ("1.0", "0.3")
    ]
    return AgentCard(
        name="known-task-solvers",
        description=(
            "Solves a tabular machine learning task: a tar.gz with train, test and "
            "sample_submission comes in, submission.csv goes out. Known tasks have a hand-written, "
            "seeded solver; the others get a baseline, and an LLM agent where one is set up."
        ),
        version=metadata.version("known-task-solvers"),
        supported_interfaces=interfaces,
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["application/gzip", "text/plain"],
        default_output_modes=["text/csv", "text/plain"],
        skills=[
            AgentSkill(
                id="solve",
                name="Solve a tabular task",
                description="Answers an archive of train and test tables with a submission.",
                tags=["tabular", "machine learning", "mle-bench"],
                examples=["The files of a competition, as one tar.gz."],
            )
        ],
    )
